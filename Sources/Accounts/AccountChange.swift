public import Domain
public import Storage

/// What somebody logged in wants changed about their account.
public enum AccountChange: Sendable {
    case names(first: String?, last: String?)
    case email(EmailAddress, Secret)
    case preferences(Preferences)
    case askToVerify
    case verify(Secret)
    /// `shown` is how the services account is written.
    case link(ServicesLink, shown: String, Secret)
    case unlink(NetworkName)
    /// All that logs in without a password.
    case endLinks
    case askToDrop(Secret)
    case drop

    /// What has to be right before anything is done.
    var password: Secret? {
        switch self {
        case .email(_, let password), .askToDrop(let password), .link(_, _, let password): password
        case .names, .preferences, .drop, .askToVerify, .verify, .unlink, .endLinks: nil
        }
    }
}

/// A change that may be made: the login it is asked for by holds, and the password it wants was right. Only the desk makes
/// one.
public struct AuthorizedChange: Sendable {
    public let change: AccountChange
    /// As whoever asked is logged in to it.
    public let account: Account
}

/// Whether a change may be made.
public enum Authorization: Sendable {
    case granted(AuthorizedChange)
    case wrongPassword
    /// Too many were wrong; it was not checked.
    case wait(Duration)
    /// There is no such account any more.
    case gone
    /// The login was made with the account as it no longer is.
    case outdated
}

/// What a change came to; accounts as they are from then on.
public enum ChangeOutcome: Sendable {
    case names(Account)
    case email(Account)
    case emailTaken
    case preferences(Account)
    case verification(VerificationMail)
    case verified(Account)
    case codeIsWrong
    case linked(ServicesLink, shown: String)
    /// How many links there were.
    case unlinked(NetworkName, count: Int)
    case linksEnded(count: Int)
    /// What there is to be deleted.
    case toConfirm(exchanges: Int)
    case deleted(exchanges: Int)
    /// There is no such account any more.
    case gone

    /// Whether the account's address is told of it: see `Mailroom.warn`.
    public var isToldByMail: Bool {
        switch self {
        case .email, .linked: true
        default: false
        }
    }
}
