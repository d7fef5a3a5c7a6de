import Domain

/// Slows down what makes the bot send mail: by who asks, by whom it goes to, and in all.
struct MailThrottle: Sendable {
    struct Limits: Sendable {
        var perSource = 3
        var sourceWindow: Duration = .seconds(3600)
        /// Between two mails to one account.
        var accountPause: Duration = .seconds(300)
        var overall = 30
        var overallWindow: Duration = .seconds(3600)
    }

    private let limits: Limits
    private var asked: [(source: GuessThrottle.Source, at: Duration)] = []
    private var mailed: [(account: AccountID, at: Duration)] = []
    private var warned: [(account: AccountID, at: Duration)] = []

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of somebody asking; nil where it may go on, else how long they have to wait.
    mutating func admit(_ source: GuessThrottle.Source, now: Duration) -> Duration? {
        asked.removeAll { now - $0.at >= limits.sourceWindow }
        let own = asked.filter { $0.source == source }
        if let first = own.first, own.count >= limits.perSource { return first.at + limits.sourceWindow - now }
        // Remembered is no more than the mails of an hour could be worth.
        if let first = asked.first, asked.count >= 10 * limits.overall { return first.at + limits.sourceWindow - now }
        asked.append((source, now))
        return nil
    }

    /// Whether a code may go to this account now; then it counts as sent.
    mutating func admitMail(to account: AccountID, now: Duration) -> Bool { admit(account, to: &mailed, now) }

    /// The same for warnings, which are counted by themselves: whoever has mail sent must not be able to keep them back.
    mutating func admitWarning(to account: AccountID, now: Duration) -> Bool { admit(account, to: &warned, now) }

    private func admit(
        _ account: AccountID, to sent: inout [(account: AccountID, at: Duration)], _ now: Duration
    ) -> Bool {
        sent.removeAll { now - $0.at >= limits.overallWindow }
        guard sent.count < limits.overall else { return false }
        guard !sent.contains(where: { $0.account == account && now - $0.at < limits.accountPause }) else {
            return false
        }
        sent.append((account, now))
        return true
    }
}
