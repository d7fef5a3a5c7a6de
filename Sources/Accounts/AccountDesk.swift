public import Domain
public import Passwords
public import Runtime
public import Storage

/// Where accounts are made and changed.
///
/// This room knows no chat: it is told from where somebody asks and what they typed, and says by its types what came of
/// it. Nothing of an account is remembered here; the store has the last word on each.
///
/// Invariants:
/// - A registration that made no account gives its share back.
/// - No account is changed but through an `AuthorizedChange`: by a login that is good still, and with the password right
///   where the change wants one.
public actor AccountDesk {
    public nonisolated let logins: LoginDesk
    public nonisolated let mailroom: Mailroom
    public nonisolated let administration: Administration
    let store: Store
    let passwords: PasswordHasher
    let log: Log
    let time: Time
    var registrations: RegistrationThrottle

    public init(
        store: Store, passwords: PasswordHasher, settings: AccountSettings, log: Log, time: Time,
        sendMail: SendMail? = nil
    ) {
        let limits = settings.limits
        logins = LoginDesk(store: store, passwords: passwords, limits: limits, log: log, time: time)
        mailroom = Mailroom(store: store, sendMail: sendMail, settings: settings, log: log, time: time)
        administration = Administration(store: store, log: log, time: time)
        self.store = store
        self.passwords = passwords
        self.log = log
        self.time = time
        registrations = RegistrationThrottle(
            limits: RegistrationThrottle.Limits(
                perAddress: limits.registrationsPerAddress, overall: limits.registrationsOverall))
    }
}
