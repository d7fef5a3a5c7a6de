public import Domain
import Passwords
import Runtime
import Storage

/// Who wants to register.
public struct Applicant: Sendable {
    public let name: AccountName
    public let password: Secret
    public let email: EmailAddress?
    public let firstName: String?
    public let lastName: String?

    public init(
        name: AccountName, password: Secret, email: EmailAddress?, firstName: String? = nil, lastName: String? = nil
    ) {
        self.name = name
        self.password = password
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
    }
}

/// Which limit of registrations was reached, and how long that lasts.
public enum RegistrationRefusal: Sendable, Equatable {
    case ofAddress(most: Int, wait: Duration)
    case ofAll(wait: Duration)
    /// Many attempts made no account.
    case ofAttempts(wait: Duration)
}

/// What became of a registration.
public enum RegistrationOutcome: Sendable, Equatable {
    case created(Account)
    case nameTaken
    case emailTaken
    case tooMany(RegistrationRefusal)
}

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
