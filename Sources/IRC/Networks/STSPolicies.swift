import Domain
import Glibc
import IRCProtocol
public import Network
public import Runtime

/// Which hosts have asked for TLS, and how long that holds: the `sts` policies, on disk where there is a file for them.
///
/// A policy is only ever learned over a TLS connection whose certificate held, so nobody in between can plant one.
@NetworkThread
public final class STSPolicies {
    private struct Policy: Sendable {
        let port: Int
        let duration: Duration
        let expiry: Timestamp
    }

    private nonisolated static let maxFileSize = 1 << 20

    private var policies: [String: Policy] = [:]
    private var revision = 0
    private let file: PolicyFile?

    /// Kept in memory only.
    public nonisolated init() { file = nil }

    /// Reads the file in this directory, and keeps it from now on; there may be none yet.
    public nonisolated init(directory: String, log: Log) {
        let path = directory + "/confab.sts"
        file = PolicyFile(path: path, log: log)
        policies = Self.read(path, log)
    }

    /// Where this host is to be met over TLS; nil where nothing says so, or no longer.
    func port(for host: String, at now: Timestamp) -> Int? {
        guard let policy = policies[Self.key(host)], policy.expiry > now else { return nil }
        return policy.port
    }

    /// The host has said it again, over TLS on this port; zero takes back what it said before.
    func keep(_ duration: Duration, port: Int, for host: String, at now: Timestamp) {
        policies[Self.key(host)] =
            duration > .zero ? Policy(port: port, duration: duration, expiry: now + duration) : nil
        revision += 1
    }

    /// The time runs from when the bot was last connected.
    func renew(_ host: String, at now: Timestamp) {
        guard let policy = policies[Self.key(host)] else { return }
        keep(policy.duration, port: policy.port, for: host, at: now)
    }

    /// Returns when what holds now is on the disk.
    func save() async {
        let lines = policies.sorted { $0.key < $1.key }.map { host, policy in
            "\(host) \(policy.port) \(policy.duration.components.seconds) \(policy.expiry.milliseconds)\n"
        }
        await file?.write(lines.joined(), revision: revision)
    }

    private nonisolated static func key(_ host: String) -> String {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return CaseMapping.ascii.fold(name)
    }

    /// Lines of `host port seconds expiry`. One that is damaged costs its own host's policy.
    private nonisolated static func read(_ path: String, _ log: Log) -> [String: Policy] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno != ENOENT { log.error("the policies for TLS cannot be read", ["file": path, "errno": errno]) }
            return [:]
        }
        defer { close(descriptor) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: maxFileSize) { buffer, count in
            unsafe count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        var policies: [String: Policy] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 4, let port = Int(words[1]), (1...65535).contains(port),
                let seconds = Int(words[2]), (0...STSAdvice.longest).contains(seconds), let expiry = Int64(words[3])
            else {
                log.error("a policy for TLS is damaged", ["file": path, "line": String(line)])
                continue
            }
            policies[key(String(words[0]))] = Policy(
                port: port, duration: .seconds(seconds), expiry: Timestamp(milliseconds: expiry))
        }
        return policies
    }
}

/// Writes the file on a thread of its own, since that waits for the disk, and whole or not at all.
private actor PolicyFile {
    private nonisolated let executor = ThreadExecutor(name: "policies")
    private let path: String
    private let log: Log
    private var written = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(path: String, log: Log) {
        self.path = path
        self.log = log
    }

    deinit { executor.stop() }

    /// What is older than what stands there already is not written.
    func write(_ text: String, revision: Int) {
        guard revision > written else { return }
        written = revision
        let next = path + ".new"
        let descriptor = unsafe open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return fail() }
        writeAll(Array(text.utf8), to: descriptor)
        let isStored = fsync(descriptor) == 0
        close(descriptor)
        guard isStored, unsafe rename(next, path) == 0 else { return fail() }
    }

    private func fail() { log.error("the policies for TLS cannot be stored", ["file": path, "errno": errno]) }
}
