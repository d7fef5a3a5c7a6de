import Domain

/// Slows down what makes the bot send mail: by who asks, by whom it goes to, and in all.
///
/// Who asks from an address where the account has logged in before does not wait for what others asked. Memory is bounded:
/// beyond it the oldest of those who asked are forgotten, and the mails of an hour are limited still.
struct MailThrottle: Sendable {
    struct Limits: Sendable {
        /// Of one user@host.
        var perOrigin = 3
        var perHost = 9
        var originWindow: Duration = .seconds(3600)
        /// Between two mails to one account.
        var accountPause: Duration = .seconds(300)
        var overall = 30
        var overallWindow: Duration = .seconds(3600)
        var remembered = 300
    }

    private typealias Mailed = [(account: AccountID, at: Duration)]

    private let limits: Limits
    private var asked: [(origin: Origin, at: Duration)] = []
    private var mailed: Mailed = []
    private var mailedHome: Mailed = []
    private var warned: Mailed = []

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Takes note of somebody asking; nil where it may go on, else how long they have to wait.
    mutating func admit(_ origin: Origin, now: Duration) -> Duration? {
        asked.removeAll { now - $0.at >= limits.originWindow }
        let ofHost = asked.filter { $0.origin.host == origin.host }
        let own = ofHost.filter { $0.origin == origin }
        if let first = own.first, own.count >= limits.perOrigin { return first.at + limits.originWindow - now }
        if let first = ofHost.first, ofHost.count >= limits.perHost { return first.at + limits.originWindow - now }
        if asked.count >= limits.remembered { asked.removeFirst() }
        asked.append((origin, now))
        return nil
    }

    /// Whether a code may go to this account now; then it counts as sent. `isHome` says that it is asked for from where
    /// the account has logged in.
    mutating func admitMail(to account: AccountID, isHome: Bool, now: Duration) -> Bool {
        guard !isRecent(account, in: mailed, now), !isRecent(account, in: mailedHome, now) else { return false }
        return isHome ? admit(account, to: &mailedHome, now) : admit(account, to: &mailed, now)
    }

    /// The same for warnings, which are counted by themselves: whoever has mail sent must not be able to keep them back.
    mutating func admitWarning(to account: AccountID, now: Duration) -> Bool { admit(account, to: &warned, now) }

    private func admit(_ account: AccountID, to sent: inout Mailed, _ now: Duration) -> Bool {
        sent.removeAll { now - $0.at >= limits.overallWindow }
        guard sent.count < limits.overall else { return false }
        guard !isRecent(account, in: sent, now) else { return false }
        sent.append((account, now))
        return true
    }

    private func isRecent(_ account: AccountID, in sent: Mailed, _ now: Duration) -> Bool {
        sent.contains { $0.account == account && now - $0.at < limits.accountPause }
    }
}
