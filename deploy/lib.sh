# What deploy/run and deploy/test share. Sourced by them, never run by itself.
# shellcheck shell=bash disable=SC2034 # what is set here is used there

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$root/.run
logs=$work/log
servers=$work/servers
yes=false

# What the bot is built from, and what the Swift toolchain needs to link C++.
build_packages=(ca-certificates libcmark-gfm-dev libcmark-gfm-extensions-dev libcurl4-openssl-dev libircclient-dev
    libjansson-dev libsodium-dev libsqlite3-dev libssl-dev libstdc++-12-dev libtomlplusplus-dev)
# The libraries of a server that is unpacked instead of installed, so that no system service comes with it.
ngircd_libraries=(libgnutls30 libident libpam0g zlib1g)

say() { printf '==> %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "deploy/${0##*/}" "$*" >&2
    exit 1
}

# A path as a person in the project's folder would type it.
short() { printf '%s' "${1#"$root"/}"; }

# Ends the script with the lines of the log that say why: errors and failed tests wherever they are, then the last lines.
fail_with_log() {
    local log=$1
    shift
    grep -aE '✘|error:' "$log" | tail -n 30 >&2 || true
    tail -n 20 "$log" >&2
    fail "$* The whole log: $(short "$log")"
}

# ---- What was started ends with the script ----

# Starts the keeper: it learns process ids from a pipe and ends them, last one first, when the pipe closes. The kernel
# closes it however the script ends, also by kill -9 or with a vanished terminal.
start_keeper() {
    exec {alive}> >(keep_until_closed)
    keeper=$!
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap end_all EXIT
}

keep_until_closed() {
    trap '' HUP INT TERM
    trap - EXIT
    local -a pids=()
    local pid
    while read -r pid; do pids+=("$pid"); done
    for ((at = ${#pids[@]} - 1; at >= 0; at--)); do end "${pids[at]}"; done
}

# The bot finishes running questions and says goodbye when asked to end, so it gets time before it is killed.
end() {
    kill -TERM "$1" 2>/dev/null || return 0
    local tick
    for ((tick = 0; tick < 200; tick++)); do
        is_running "$1" || return 0
        sleep 0.1
    done
    kill -KILL "$1" 2>/dev/null || true
}

# A process that ended and was not waited for yet (state Z) does not run.
is_running() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    [[ ${stat##*) } != Z* ]]
}

end_all() {
    local status=$?
    trap '' HUP INT TERM
    exec {alive}>&-
    wait "$keeper" || true
    exit "$status"
}

# Starts a program of its own session, which no terminal can end, with its own log. Its process id is in $started.
start() {
    local name=$1
    shift
    setsid "$@" >"$logs/$name.log" 2>&1 </dev/null {alive}>&- &
    remember $!
}

# Tells the keeper of a process.
remember() {
    started=$1
    printf '%s\n' "$started" >&"$alive"
}

# Waits until a check succeeds, and fails when the process ends or the time is over.
await() {
    local name=$1 pid=$2 seconds=$3 deadline=$((SECONDS + $3)) status=0
    shift 3
    until "$@" 2>/dev/null; do
        if ! is_running "$pid"; then
            wait "$pid" || status=$?
            fail_with_log "$logs/$name.log" "$name ended (exit status $status) instead of starting."
        fi
        ((SECONDS < deadline)) || fail_with_log "$logs/$name.log" "$name was not ready within $seconds seconds."
        sleep 0.1
    done
}

# Runs a slow command with its output in a log: says what it does, where it is every 15 seconds, and how long it took.
slowly() {
    local what=$1 name=$2 began=$SECONDS told=$SECONDS
    local log=$logs/$name.log
    shift 2
    say "$what"
    "$@" >"$log" 2>&1 </dev/null {alive}>&- &
    remember $!
    while is_running "$started"; do
        sleep 0.1
        ((SECONDS - told < 15)) && continue
        told=$SECONDS
        printf '    %s s  %s\n' "$((SECONDS - began))" "$(tail -n 1 "$log" | cut -c 1-100)"
    done
    wait "$started" || fail_with_log "$log" "That failed."
    ((SECONDS - began < 5)) || printf '    done in %s s\n' "$((SECONDS - began))"
}

# ---- Debian packages ----

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

# Installs those of the packages that are not there.
install_packages() {
    local package
    local -a missing=()
    for package; do is_installed "$package" || missing+=("$package"); done
    ((${#missing[@]} == 0)) && return
    ask_for_root "These Debian packages are missing: ${missing[*]}"
    say "Installing Debian packages: ${missing[*]} (a minute at most)"
    as_root apt-get -q update >"$logs/packages.log" 2>&1 \
        || fail_with_log "$logs/packages.log" "apt-get update failed."
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends install "${missing[@]}" \
        >>"$logs/packages.log" 2>&1 </dev/null || fail_with_log "$logs/packages.log" "apt-get install failed."
}

as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# Asks once before the first use of sudo; `--yes` answers beforehand, and root needs none.
ask_for_root() {
    ((EUID == 0)) && return
    command -v sudo >/dev/null || fail "$1. There is no sudo here: install them as root, then start again."
    if ! $yes; then
        [[ -t 0 ]] || fail "$1. Install them as root, or start again with --yes to use sudo."
        local answer
        printf '%s.\nUse sudo and apt-get to get them? [y/N] ' "$1"
        read -r answer
        [[ $answer == [yY]* ]] || fail "Nothing was installed."
        yes=true
    fi
    sudo -v || fail "sudo was refused."
}

# Unpacks servers from their Debian packages, one folder each. Installing them would start them as system services.
unpack_servers() {
    local package
    mkdir -p "$servers"
    for package; do
        [[ -d $servers/$package ]] && continue
        slowly "Fetching $package (unpacked into $(short "$servers"), not installed)" "$package" unpack "$package"
    done
}

unpack() {
    local package=$1 fresh=$servers/.$1
    rm -rf "$fresh"
    mkdir -p "$fresh"
    cd "$fresh"
    apt-get -q download "$package" || { as_root apt-get -q update && apt-get -q download "$package"; }
    dpkg-deb -x "$package"_*.deb .
    mv "$fresh" "$servers/$package"
}

# ---- Building ----

require_swift() {
    command -v swift >/dev/null || fail "swift is not on the PATH. Confab needs the Swift 6.3 toolchain: unpack the one" \
        "for Debian 12 from https://www.swift.org/install/linux/ and put its usr/bin on the PATH."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [[ $(printf '%s\n' 6.3 "$version" | sort -V | head -n 1) == 6.3 ]] \
        || fail "Confab needs Swift 6.3 or newer; $(command -v swift) is ${version:-unknown}."
}

# Builds products for release, with the Swift runtime linked in; the seconds of a second time are SwiftPM's own check.
build_release() {
    local product
    cd "$root"
    for product; do
        slowly "Building $product for release (minutes the first time, seconds after that)" "build-$product" \
            swift build -c release --static-swift-stdlib --product "$product"
    done
    release=$root/.build/release
}
