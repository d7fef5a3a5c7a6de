public import Domain

/// What came of checking a password.
public enum PasswordCheck: Sendable {
    case right(ProvenPassword)
    /// At this account; nil where there is none, which looks the same to whoever asked.
    case wrong(Account?)
    /// Too many were wrong; it was not checked.
    case wait(Duration)
}

/// A password that was found right. Only the desk makes one.
public struct ProvenPassword: Sendable {
    /// As it was when the password was looked up.
    public let account: Account
    let password: Secret
    let needsRehash: Bool
}
