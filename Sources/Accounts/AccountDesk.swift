public import Domain
public import Passwords
public import Runtime
public import Storage

/// Where people register and prove who they are, and where their accounts are changed.
///
/// It knows no chat: it is told from where somebody asks and what they typed, and says what came of it. Throttles are
/// asked before anything is hashed, and told afterwards what it was good for. Nothing of an account is remembered here;
/// the store has the last word on each.
///
/// Invariants:
/// - A guess is taken back on success: only wrong passwords, and such as are being checked, slow anybody down.
/// - An unknown account and a wrong password look the same and cost the same hash.
/// - A registration that made no account gives its share back.
/// - At most one code in five minutes goes to an account, whoever asks, and so many an hour in all; warnings are counted
///   apart.
/// - A password said in public opens nothing until it is another.
/// - No account is changed but through `AuthorizedChange`, for which its password was right where the change wants it.
public actor AccountDesk {
    let store: Store
    let passwords: PasswordHasher
    /// Nil where the operator gave the bot no way to send mail.
    let sendMail: SendMail?
    let settings: AccountSettings
    let log: Log
    let time: Time

    var guesses: GuessThrottle
    var registrations: RegistrationThrottle
    var mails = MailThrottle()

    public init(
        store: Store, passwords: PasswordHasher, settings: AccountSettings, log: Log, time: Time,
        sendMail: SendMail? = nil
    ) {
        self.store = store
        self.passwords = passwords
        self.settings = settings
        self.log = log
        self.time = time
        self.sendMail = sendMail
        let limits = settings.limits
        guesses = GuessThrottle(
            limits: GuessThrottle.Limits(perHost: limits.guessesPerHost, overall: limits.guessesOverall))
        registrations = RegistrationThrottle(
            limits: RegistrationThrottle.Limits(
                perAddress: limits.registrationsPerAddress, overall: limits.registrationsOverall))
    }

    public nonisolated var sendsMail: Bool { sendMail != nil }

    /// Whether questions have to wait for the address to be proven.
    public nonisolated func mustVerify(_ account: Account) -> Bool {
        settings.isVerifiedEmailRequired && sendsMail && account.email != nil && !account.isEmailVerified
    }
}
