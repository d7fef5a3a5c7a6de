import Domain

/// Slows down guessing of passwords, without giving an enemy the means to lock anyone out.
///
/// Three limits: wrong passwords from one source, wrong passwords in all, and a delay for each account that doubles with
/// every wrong one. The last two do not hold for the source from which the account last logged in: its owner gets in
/// while somebody else guesses. Each attempt counts as wrong until `succeeded` takes it back, so many at once gain
/// nothing. Logins that stand are not touched. Memory is bounded by the limit in all.
struct GuessThrottle: Sendable {
    /// Where guesses come from: a host on a network. The user before it is anyone's to choose.
    struct Source: Hashable, Sendable {
        let network: NetworkName
        let host: String
    }

    struct Limits: Sendable {
        var perSource = 5
        var sourceWindow: Duration = .seconds(600)
        var overall = 30
        var overallWindow: Duration = .seconds(60)
        /// Wrong passwords for an account that cost no delay.
        var free = 3
        var longestDelay: Duration = .seconds(900)
        /// Without a wrong password for so long, an account starts afresh.
        var accountWindow: Duration = .seconds(3600)
        /// Accounts whose last good source is remembered.
        var remembered = 10_000
    }

    private struct Failures {
        var count = 0
        var last: Duration = .zero
    }

    private let limits: Limits
    private var bySource: [Source: [Duration]] = [:]
    private var overall: [Duration] = []
    private var byAccount: [String: Failures] = [:]
    private var lastGood: [String: Source] = [:]

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of an attempt; nil where it may go on, else how long it has to wait. `account` is its folded name, or
    /// what was typed for one.
    ///
    /// `isHome` says that the account last logged in from this source, as far back as the store remembers.
    mutating func admit(_ source: Source, account: String, isHome: Bool = false, now: Duration) -> Duration? {
        forget(now)
        if let attempts = bySource[source], attempts.count >= limits.perSource, let first = attempts.first {
            return first + limits.sourceWindow - now
        }
        if lastGood[account] != source && !isHome {
            if let first = overall.first, overall.count >= limits.overall { return first + limits.overallWindow - now }
            if let failures = byAccount[account] {
                let wait = failures.last + delay(after: failures.count) - now
                if wait > .zero { return wait }
            }
        }
        bySource[source, default: []].append(now)
        overall.append(now)
        byAccount[account, default: Failures()].count += 1
        byAccount[account]?.last = now
        return nil
    }

    /// The attempt admitted at `time` was the owner's.
    mutating func succeeded(_ source: Source, account: String, admittedAt time: Duration) {
        takeBack(source, account: account, admittedAt: time)
        byAccount[account] = nil
        if lastGood.count >= limits.remembered, lastGood[account] == nil { lastGood.removeAll(keepingCapacity: true) }
        lastGood[account] = source
    }

    /// The attempt admitted at `time` was not tried at all.
    mutating func takeBack(_ source: Source, account: String, admittedAt time: Duration) {
        if let index = bySource[source]?.lastIndex(of: time) { bySource[source]?.remove(at: index) }
        if let index = overall.lastIndex(of: time) { overall.remove(at: index) }
        byAccount[account]?.count -= 1
    }

    private func delay(after failures: Int) -> Duration {
        guard failures >= limits.free else { return .zero }
        return min(.seconds(1 << min(failures - limits.free + 1, 20)), limits.longestDelay)
    }

    private mutating func forget(_ now: Duration) {
        overall.removeAll { now - $0 >= limits.overallWindow }
        for (source, attempts) in bySource {
            let recent = attempts.filter { now - $0 < limits.sourceWindow }
            bySource[source] = recent.isEmpty ? nil : recent
        }
        byAccount = byAccount.filter { now - $0.value.last < limits.accountWindow && $0.value.count > 0 }
    }
}
