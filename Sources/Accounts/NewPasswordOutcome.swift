public import Storage

/// Whether an account has another password now.
public enum NewPasswordOutcome: Sendable {
    case changed(PasswordChange)
    /// The old password, or the code in its place.
    case wrong
    /// Whoever is not logged in may renew one that was said in public, and no other; or the account is gone.
    case mayNot
    /// Too many were wrong; nothing was checked.
    case wait(Duration)
}
