import Domain

/// Slows down guessing of passwords, without giving an enemy the means to keep anybody out.
///
/// Wrong passwords are counted for each host; in all; and for each account, with a delay that doubles with every wrong one.
/// Two kinds of attempts go by others' guesses: those from an address where the account has logged in before have a share
/// of their own and nothing else holds for them, and a host's first in an hour waits for no account's delay, so that owners
/// get in from where they never were. Of such first ones there are so many a minute, and no more. Each attempt counts as
/// wrong until `succeeded` takes it back, so many at once gain nothing. Logins that stand are not touched. Memory is bounded
/// by the limits in all.
struct GuessThrottle: Sendable {
    /// Somebody's trying of a password.
    struct Attempt: Hashable, Sendable {
        let host: Origin.Host
        /// The account's folded name, by whichever name it was called; what was typed for one where there is none.
        let account: String
        /// Where the account has logged in from there before.
        var home: Origin?
    }

    struct Limits: Sendable {
        /// Also for an account from an address of its own.
        var perHost = 5
        var hostWindow: Duration = .seconds(600)
        /// As many first ones are let through besides.
        var overall = 30
        var overallWindow: Duration = .seconds(60)
        /// After so long without a wrong password a host is new again.
        var firstWindow: Duration = .seconds(3600)
        /// Wrong passwords for an account that cost no delay.
        var free = 3
        var maxDelay: Duration = .seconds(900)
        /// Without a wrong password for so long, an account starts afresh.
        var accountWindow: Duration = .seconds(3600)
    }

    private struct Failures {
        var count = 0
        var last: Duration = .zero
    }

    private struct Home: Hashable {
        let account: String
        let origin: Origin
    }

    private let limits: Limits
    private var byHost: [Origin.Host: [Duration]] = [:]
    private var byHome: [Home: [Duration]] = [:]
    private var overall: [Duration] = []
    private var firsts: [Duration] = []
    private var byAccount: [String: Failures] = [:]
    private var lastForgotten: Duration?

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of an attempt; nil where it may go on, else how long it has to wait.
    mutating func admit(_ attempt: Attempt, now: Duration) -> Duration? {
        forget(now)
        if let origin = attempt.home {
            let home = Home(account: attempt.account, origin: origin)
            if let wait = wait(for: byHome[home] ?? [], limits.perHost, limits.hostWindow, now) { return wait }
            byHome[home, default: []].append(now)
            return nil
        }
        let tries = byHost[attempt.host] ?? []
        if let wait = wait(for: tries, limits.perHost, limits.hostWindow, now) { return wait }
        if tries.isEmpty {
            if let wait = wait(for: firsts, limits.overall, limits.overallWindow, now) { return wait }
            firsts.append(now)
        } else {
            if let wait = wait(for: overall, limits.overall, limits.overallWindow, now) { return wait }
            if let failures = byAccount[attempt.account] {
                let wait = failures.last + delay(after: failures.count) - now
                if wait > .zero { return wait }
            }
            overall.append(now)
        }
        byHost[attempt.host, default: []].append(now)
        byAccount[attempt.account, default: Failures()].count += 1
        byAccount[attempt.account]?.last = now
        return nil
    }

    /// The attempt admitted at `time` was the owner's.
    mutating func succeeded(_ attempt: Attempt, admittedAt time: Duration) {
        takeBack(attempt, admittedAt: time)
        byAccount[attempt.account] = nil
    }

    /// The attempt admitted at `time` was not tried at all.
    mutating func takeBack(_ attempt: Attempt, admittedAt time: Duration) {
        if let origin = attempt.home {
            let home = Home(account: attempt.account, origin: origin)
            if let index = byHome[home]?.lastIndex(of: time) { byHome[home]?.remove(at: index) }
            return
        }
        guard let index = byHost[attempt.host]?.lastIndex(of: time) else { return }
        byHost[attempt.host]?.remove(at: index)
        if let index = firsts.lastIndex(of: time), byHost[attempt.host]?.isEmpty == true {
            firsts.remove(at: index)
        } else if let index = overall.lastIndex(of: time) {
            overall.remove(at: index)
        }
        byAccount[attempt.account]?.count -= 1
    }

    private func wait(for tries: [Duration], _ most: Int, _ window: Duration, _ now: Duration) -> Duration? {
        let recent = tries.filter { now - $0 < window }
        guard recent.count >= most, let first = recent.first else { return nil }
        return first + window - now
    }

    private func delay(after failures: Int) -> Duration {
        guard failures >= limits.free else { return .zero }
        return min(.seconds(1 << min(failures - limits.free + 1, 20)), limits.maxDelay)
    }

    /// Looked through once a minute: what an attempt costs does not grow with how many were made in an hour.
    private mutating func forget(_ now: Duration) {
        if let last = lastForgotten, now - last < limits.overallWindow { return }
        lastForgotten = now
        overall.removeAll { now - $0 >= limits.overallWindow }
        firsts.removeAll { now - $0 >= limits.overallWindow }
        byHost = byHost.compactMapValues { tries in recent(tries, limits.firstWindow, now) }
        byHome = byHome.compactMapValues { tries in recent(tries, limits.hostWindow, now) }
        byAccount = byAccount.filter { now - $0.value.last < limits.accountWindow && $0.value.count > 0 }
    }

    private func recent(_ tries: [Duration], _ window: Duration, _ now: Duration) -> [Duration]? {
        let recent = tries.filter { now - $0 < window }
        return recent.isEmpty ? nil : recent
    }
}
