public import Domain
public import Storage

/// Whether a password that is right opens its account.
public enum LoginOutcome: Sendable {
    case open(Account)
    /// It was deleted, or given another password meanwhile.
    case isAnother
    case disabled(AccountName)
    /// The password was said in public. `isHome` says that it may be changed from here.
    case exposed(AccountName, isHome: Bool)
}

/// What a login is told besides; each is handed out once.
public struct LoginNews: Sendable {
    /// Guesses since the last one.
    public var guesses: [FailedLogins] = []
    /// Exchanges that were cut short.
    public var interrupted: [Exchange] = []
}
