import Domain

struct RegistrationRequest: Sendable {
    let speaker: Speaker
    let name: AccountName
    let password: Secret
    let email: EmailAddress?
    let firstName: String?
    let lastName: String?
}
