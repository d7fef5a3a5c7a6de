public import Domain

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
