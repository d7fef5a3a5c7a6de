public import Domain
import Passwords
import Runtime
public import Storage

/// Logging in, once it is proven who somebody is.
extension LoginDesk {
    /// Looks at the account as it is after all that waiting.
    public func open(_ proven: ProvenPassword, from origin: Origin) async throws(StoreFailure) -> LoginOutcome {
        guard let found = try await store.credentials(of: proven.account.id) else { return .isAnother }
        guard !found.isDisabled else { return .disabled(found.account.name) }
        guard found.account.loginEpoch == proven.account.loginEpoch else { return .isAnother }
        guard found.exposedBy == nil else {
            return .exposed(found.account.name, isHome: found.isHome(origin))
        }
        return .open(found.account)
    }

    /// The account that a services account logs in to, as it is now; nil where none is open to it.
    public func account(linkedTo link: ServicesLink) async throws(StoreFailure) -> Account? {
        guard let found = try await store.credentials(by: link), !found.isDisabled else { return nil }
        return found.account
    }

    /// Notes that somebody logged in from here, who gets in from there while others guess, and keeps up with the strength
    /// of hashing: the old hash was good until now.
    public func welcome(
        _ account: Account, from origin: Origin, by proven: ProvenPassword? = nil
    ) async -> LoginNews {
        if let proven, proven.needsRehash { await rehash(proven) }
        do {
            try await store.noteLogin(of: account.id, from: origin.description, at: time.wall())
            let guesses = try await store.takeFailedLogins(of: account.id)
            return LoginNews(guesses: guesses, interrupted: try await store.takeInterruptedNotices(of: account.id))
        } catch {
            log.storeFailed(error, during: "reading what a login is told", of: account.name)
            return LoginNews()
        }
    }

    private func rehash(_ proven: ProvenPassword) async {
        do {
            let hash = try await passwords.hash(proven.password)
            try await store.replacePasswordHash(hash, of: proven.account.id)
        } catch {
            log.warning("A password was not hashed anew", ["account": proven.account.name, "error": "\(error)"])
        }
    }
}
