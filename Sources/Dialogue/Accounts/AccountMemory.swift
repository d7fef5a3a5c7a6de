import Domain
import Storage

/// What the bot keeps in mind of accounts and channels between one line and the next.
struct AccountMemory: Sendable {
    /// DROP that waits to be confirmed.
    var drops: [VisitID: (code: String, askedAt: Duration)] = [:]

    /// Services accounts that log in by themselves, as the store has them.
    var links: [ServicesLink: AccountID] = [:]
    /// Whom not to listen to, as the store has them.
    var ignores = IgnoreList()
    /// When they were read, by the monotonic clock.
    var ignoresReadAt: Duration = .zero

    /// Where channel operators silenced the bot, as the store has it.
    var quiet: Set<QuietChannel> = []
    /// When somebody who joined there was greeted last.
    var greeted: [QuietChannel: Duration] = [:]

    /// Under what each login is noted in the store.
    var openLogins: [VisitID: OpenLogin] = [:]
    /// Logins that ended because the bot was away, until their owners are told.
    var cutLogins: [OpenLogin: CutLogin] = [:]
    /// Of relays, as the store has them.
    var relayAccounts: [AccountName: Account] = [:]

    /// Who said LOGIN in a channel and nothing behind it.
    var expectedSecrets = ExpectedSecrets()

    /// Nothing waits for a visit that is over.
    mutating func forget(_ visit: VisitID) { drops[visit] = nil }
}
