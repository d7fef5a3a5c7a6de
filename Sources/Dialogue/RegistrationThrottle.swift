/// Slows down the making of accounts, and the finding out of names by trying to.
///
/// An account that is made counts for an hour against the address it was made from, and for ten minutes against all. An
/// attempt that made none, since the name was taken, counts against a wider limit. Memory is bounded by that one.
struct RegistrationThrottle: Sendable {
    struct Limits: Sendable {
        var perAddress = 1
        var addressWindow: Duration = .seconds(3600)
        var overall = 30
        var overallWindow: Duration = .seconds(600)
        /// Attempts for each account that may be made.
        var attemptsPerAccount = 10
    }

    let limits: Limits
    private var made: [(address: String, at: Duration)] = []
    private var attempts: [(address: String, at: Duration)] = []

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of an attempt from `network user@host`; nil where it may go on, else how long it has to wait.
    mutating func admit(_ address: String, now: Duration) -> Duration? {
        made.removeAll { now - $0.at >= max(limits.addressWindow, limits.overallWindow) }
        attempts.removeAll { now - $0.at >= limits.overallWindow }
        let own = made.filter { $0.address == address && now - $0.at < limits.addressWindow }
        if let first = own.first, own.count >= limits.perAddress { return first.at + limits.addressWindow - now }
        let recent = made.filter { now - $0.at < limits.overallWindow }
        if let first = recent.first, recent.count >= limits.overall { return first.at + limits.overallWindow - now }
        let tries = attempts.filter { $0.address == address }
        if let first = tries.first, tries.count >= limits.perAddress * limits.attemptsPerAccount {
            return first.at + limits.overallWindow - now
        }
        if let first = attempts.first, attempts.count >= limits.overall * limits.attemptsPerAccount {
            return first.at + limits.overallWindow - now
        }
        made.append((address, now))
        attempts.append((address, now))
        return nil
    }

    /// The attempt admitted at `time` made no account.
    mutating func madeNone(_ address: String, admittedAt time: Duration) {
        if let index = made.lastIndex(where: { $0.address == address && $0.at == time }) { made.remove(at: index) }
    }
}
