import Domain

/// Slows down the making of accounts, and the finding out of names by trying to.
///
/// An account that is made counts for an hour against the host it was made from, and for ten minutes against all. An
/// attempt that made none, since the name was taken, counts against a wider limit. Memory is bounded by that one.
struct RegistrationThrottle: Sendable {
    struct Limits: Sendable {
        /// Of a host, whichever user stands before it.
        var perAddress = 3
        var addressWindow: Duration = .seconds(3600)
        var overall = 30
        var overallWindow: Duration = .seconds(600)
        /// Attempts for each account that may be made.
        var attemptsPerAccount = 10
    }

    let limits: Limits
    private var made: [(host: Origin.Host, at: Duration)] = []
    private var attempts: [(host: Origin.Host, at: Duration)] = []

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of an attempt; nil where it may go on.
    mutating func admit(_ host: Origin.Host, now: Duration) -> RegistrationRefusal? {
        made.removeAll { now - $0.at >= max(limits.addressWindow, limits.overallWindow) }
        attempts.removeAll { now - $0.at >= limits.overallWindow }
        let own = made.filter { $0.host == host && now - $0.at < limits.addressWindow }
        if let first = own.first, own.count >= limits.perAddress {
            return .ofAddress(most: limits.perAddress, wait: first.at + limits.addressWindow - now)
        }
        let recent = made.filter { now - $0.at < limits.overallWindow }
        if let first = recent.first, recent.count >= limits.overall {
            return .ofAll(wait: first.at + limits.overallWindow - now)
        }
        let tries = attempts.filter { $0.host == host }
        if let first = tries.first, tries.count >= limits.perAddress * limits.attemptsPerAccount {
            return .ofAttempts(wait: first.at + limits.overallWindow - now)
        }
        if let first = attempts.first, attempts.count >= limits.overall * limits.attemptsPerAccount {
            return .ofAll(wait: first.at + limits.overallWindow - now)
        }
        made.append((host, now))
        attempts.append((host, now))
        return nil
    }

    /// The attempt admitted at `time` made no account.
    mutating func madeNone(_ host: Origin.Host, admittedAt time: Duration) {
        if let index = made.lastIndex(where: { $0.host == host && $0.at == time }) { made.remove(at: index) }
    }
}
