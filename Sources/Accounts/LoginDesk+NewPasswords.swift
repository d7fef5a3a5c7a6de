public import Domain
import Passwords
import Runtime
import Storage

/// Other passwords, for the old one or for a code from a mail.
extension LoginDesk {
    /// Gives an account another password for its old one. `isLoggedIn` says that whoever asks is logged in to it.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func changePassword(
        of login: String, from old: Secret, to new: Secret, isLoggedIn: Bool, origin: Origin
    ) async throws -> NewPasswordOutcome {
        let found = try await store.credentials(for: login)
        guard isLoggedIn || found.map({ mayRenew($0, from: origin) }) ?? false else { return .mayNot }
        let proven: ProvenPassword
        switch try await check(old, of: found, login: login, from: origin) {
        case .wait(let wait): return .wait(wait)
        case .wrong: return .wrong
        case .right(let right): proven = right
        }
        let hash = try await passwords.hash(new, for: PasswordHasher.Caller(origin.description, isKnown: true))
        guard let changed = try await store.changePassword(hash: hash, of: proven.account.id) else { return .mayNot }
        log.info("A password was changed", ["account": changed.account.name])
        return .changed(changed)
    }

    /// Whether somebody who is not logged in may give the account another password: one that was said in public, from an
    /// address where the account has logged in before. Who shares a host with whoever said it may be a reader.
    private func mayRenew(_ found: Credentials, from origin: Origin) -> Bool {
        found.exposedBy != nil && !found.isDisabled && found.isHome(origin)
    }

    /// Gives an account another password for a code sent to its address. An unknown account looks like a wrong code.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func reset(
        _ login: String, by code: Secret, to new: Secret, from origin: Origin
    ) async throws -> NewPasswordOutcome {
        let now = time.now()
        // By host alone: codes are too long to be guessed, and nobody may keep another from using theirs.
        let attempt = GuessThrottle.Attempt(host: origin.host, account: "reset \(origin.host)")
        if let wait = guesses.admit(attempt, now: now) { return .wait(wait) }
        guard let found = try await store.credentials(for: login), !found.isDisabled,
            try await store.useCode(hash: CodeDigest.of(code), for: .reset, of: found.account.id, at: time.wall())
        else { return .wrong }
        guesses.takeBack(attempt, admittedAt: now)
        let hash = try await passwords.hash(new, for: PasswordHasher.Caller(origin.description))
        guard let changed = try await store.changePassword(hash: hash, of: found.account.id) else { return .wrong }
        log.info("A password was reset by e-mail", ["account": changed.account.name])
        return .changed(changed)
    }
}
