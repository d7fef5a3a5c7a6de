import Domain
import Passwords
import Runtime
import Storage

/// Making accounts.
extension AccountDesk {
    /// Makes an account. Throws `StoreFailure` and `PasswordFailure`, and then there is none.
    public func register(_ applicant: Applicant, from origin: Origin) async throws -> RegistrationOutcome {
        let now = time.now()
        if let refusal = registrations.admit(origin.host, now: now) {
            log.warning(
                "A registration was refused: too many", ["network": origin.network, "from": origin.host.name])
            return .tooMany(refusal)
        }
        var isMade = false
        defer { if !isMade { registrations.madeNone(origin.host, admittedAt: now) } }
        // Looked at before hashing: a taken name costs no Argon2 run. Storing looks again.
        guard try await store.credentials(for: applicant.name.folded) == nil else { return .nameTaken }
        if let email = applicant.email, try await store.credentials(for: email.folded) != nil { return .emailTaken }
        let hash = try await passwords.hash(applicant.password, for: PasswordHasher.Caller(origin.description))
        let creation = try await store.createAccount(
            NewAccount(
                name: applicant.name, email: applicant.email, firstName: applicant.firstName,
                lastName: applicant.lastName, passwordHash: hash, registeredAt: time.wall()))
        switch creation {
        case .nameTaken: return .nameTaken
        case .emailTaken: return .emailTaken
        case .created(let account):
            isMade = true
            log.info("An account was registered", ["network": origin.network, "account": account.name])
            return .created(account)
        }
    }
}
