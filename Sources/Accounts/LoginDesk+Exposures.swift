public import Domain
import Passwords
import Runtime
public import Storage

/// Passwords that were said where others read them.
extension LoginDesk {
    /// Tries a word that was said in public against an account that it may open, unless that is closed to it anyway. Of
    /// one's own account (`own`) it is no guess.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func tryExposed(
        _ word: Secret, for login: String, own: AccountID?, from origin: Origin
    ) async throws -> PasswordCheck {
        guard let found = try await store.credentials(for: login), found.exposedBy == nil else { return .wrong(nil) }
        return try await check(
            word, of: found, login: login, from: origin, isGuess: found.account.id != own)
    }

    /// Whether one of these words of whoever is logged in to the account is its password.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func isPassword(
        ofAny words: [Secret], of account: Account, from origin: Origin
    ) async throws -> Bool {
        guard let found = try await store.credentials(of: account.id) else { return false }
        for word in words {
            let check = try await check(word, of: found, login: account.name.folded, from: origin, isGuess: false)
            if case .right = check { return true }
        }
        return false
    }

    /// Closes a password that was said in public; false where that was done before.
    public func expose(_ account: Account, by origin: Origin) async throws(StoreFailure) -> Bool {
        guard try await store.exposePassword(of: account.id, by: origin.description) else { return false }
        log.warning(
            "A password was said in a channel, and opens nothing until it is changed",
            ["network": origin.network, "account": account.name])
        return true
    }
}
