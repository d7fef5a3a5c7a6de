public import Domain
import Passwords
import Runtime
public import Storage

/// What goes to accounts by e-mail: codes for another password, codes to prove an address, and warnings. `bot` is the nick
/// that people write to.
///
/// Invariant: at most one code in five minutes goes to an account, whoever asks, and so many an hour in all; warnings are
/// counted apart.
public actor Mailroom {
    private let store: Store
    /// Nil where the operator gave the bot no way to send mail.
    private let sendMail: SendMail?
    private let settings: AccountSettings
    private let log: Log
    private let time: Time
    private var mails = MailThrottle()

    init(store: Store, sendMail: SendMail?, settings: AccountSettings, log: Log, time: Time) {
        self.store = store
        self.sendMail = sendMail
        self.settings = settings
        self.log = log
        self.time = time
    }

    public nonisolated var isOpen: Bool { sendMail != nil }

    /// Whether questions have to wait for the address to be proven.
    public nonisolated func mustVerify(_ account: Account) -> Bool {
        settings.isVerifiedEmailRequired && isOpen && account.email != nil && !account.isEmailVerified
    }

    private static let codeLife: Duration = .seconds(1800)

    /// Whether a code for another password may be asked for from here; nil where it may, else how long that has to wait.
    public func admitReset(from origin: Origin) -> Duration? { mails.admit(origin, now: time.now()) }

    /// Sends a code for another password, if there is such an account and it has an address. Whoever asked is told
    /// nothing of that.
    public func sendReset(_ login: String, from origin: Origin, bot: Nick) async throws(StoreFailure) {
        guard let found = try await store.credentials(for: login), !found.isDisabled,
            let email = found.account.email
        else { return }
        // Nobody else's mailbox, where the operator cares to know whose it is.
        guard !settings.isVerifiedEmailRequired || found.account.isEmailVerified else { return }
        _ = try await sendCode(for: .reset, of: found.account, to: email, isHome: found.isHome(origin)) { code in
            .reset(found.account.name, email, code, bot)
        }
    }

    /// Sends a code to prove the address; not more often than the account's owner could read it.
    public func sendVerification(of account: Account, bot: Nick) async throws(StoreFailure) -> VerificationMail {
        guard let email = account.email else { return .noEmail }
        guard email.isPlain else { return .cannotBeMailed }
        let isSent = try await sendCode(for: .verify, of: account, to: email, isHome: true) { code in
            .verify(account.name, email, code, bot)
        }
        return isSent ? .sent(email) : .notSent
    }

    /// Tells the account's address of what keeps others in it: another address, of which the old one is told, and a link.
    public func warn(of made: AuthorizedChange, bot: Nick) async {
        guard let email = made.account.email else { return }
        switch made.change {
        case .email(let new, _):
            if email != new { await warn(made.account, "address changed", .changed(made.account.name, email, bot)) }
        case .link(let link, let shown, _):
            await warn(made.account, "linked", .linked(made.account.name, email, shown, link.network, bot))
        default: return
        }
    }

    private func warn(_ account: Account, _ purpose: String, _ letter: Letter) async {
        guard isOpen, letter.to.isPlain, mails.admitWarning(to: account.id, now: time.now()) else { return }
        _ = await send(letter, to: account, purpose)
    }

    /// A code is sent once in a few minutes to one account, whoever asks: the one before is in the mailbox, and good.
    private func sendCode(
        for purpose: CodePurpose, of account: Account, to email: EmailAddress, isHome: Bool,
        _ letter: (String) -> Letter
    ) async throws(StoreFailure) -> Bool {
        guard isOpen, email.isPlain, mails.admitMail(to: account.id, isHome: isHome, now: time.now()) else {
            return false
        }
        let code = OneTimeCode.long()
        let now = time.wall()
        try await store.keepCode(
            hash: CodeDigest.of(Secret(code)), for: purpose, of: account.id, sentTo: email, at: now,
            until: now + Self.codeLife)
        return await send(letter(code), to: account, purpose.rawValue)
    }

    private func send(_ letter: Letter, to account: Account, _ purpose: String) async -> Bool {
        guard let sendMail else { return false }
        do {
            try await sendMail(letter)
            log.info("A mail was sent", ["account": account.name, "purpose": purpose])
            return true
        } catch {
            log.error(
                "A mail was not sent", ["account": account.name, "purpose": purpose, "detail": error.detail])
            return false
        }
    }
}
