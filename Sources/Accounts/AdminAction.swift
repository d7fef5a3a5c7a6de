public import Domain
public import Storage

/// What administrators do.
public enum AdminAction: Sendable, Equatable {
    /// Lists those with this part in their name.
    case accounts(String)
    case disable(AccountName)
    case enable(AccountName)
    case logOut(AccountName)
    case ignore(String, Duration?)
    case unignore(String)

    public var verb: String {
        switch self {
        case .accounts: "ACCOUNTS"
        case .disable: "DISABLE"
        case .enable: "ENABLE"
        case .logOut: "LOGOUT"
        case .ignore(_, let time): time == nil ? "IGNORE" : "IGNORE for \(time?.components.seconds ?? 0) s"
        case .unignore: "UNIGNORE"
        }
    }

    public var subject: String {
        switch self {
        case .accounts(let text), .ignore(let text, _), .unignore(let text): text
        case .disable(let name), .enable(let name), .logOut(let name): name.spelling
        }
    }
}

/// What came of it.
public enum AdminOutcome: Sendable {
    case accounts([AccountRecord])
    case disabled(Account)
    case enabled
    /// Its logins are to be ended.
    case toLogOut(Account)
    case noSuchAccount(AccountName)
    /// Nobody closes their own account.
    case isOneself
    /// Until then; nil for good.
    case ignored(until: Timestamp?)
    /// And who is ignored now.
    case unignored(wasThere: Bool, [String])
}
