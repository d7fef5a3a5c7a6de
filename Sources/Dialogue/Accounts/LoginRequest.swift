import Domain

struct LoginRequest: Sendable {
    let speaker: Speaker
    let visit: VisitID
    /// An account name or an e-mail address, as it was typed; the nick where none was.
    let login: String
    let isNamed: Bool
    let password: Secret
}
