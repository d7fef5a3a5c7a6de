import Accounts
import Domain

/// What somebody wants of the account desk, as it was typed.
enum AccountRequest: Sendable {
    case register(Applicant, Speaker)
    case logIn(Login)
    case changePassword(NewPassword)
    case change(Change)
    /// A code by e-mail.
    case askForReset(login: String, Speaker)
    /// The same, after whoever asked was answered.
    case mailReset(login: String, Speaker)
    case reset(Reset)
    case administer(Administration)

    struct Login: Sendable {
        let speaker: Speaker
        let visit: VisitID
        /// An account name or an e-mail address; the nick where none was typed.
        let login: String
        let isNamed: Bool
        let password: Secret
    }

    /// PASSWORD.
    struct NewPassword: Sendable {
        let speaker: Speaker
        let visit: VisitID
        /// The account's name.
        let login: String
        let isLoggedIn: Bool
        let old: Secret
        let new: Secret
    }

    struct Change: Sendable {
        let speaker: Speaker
        let visit: VisitID
        let account: Account
        let change: AccountChange
        /// What is said when it is done, where that depends on what was typed.
        var done: [String] = []
    }

    /// RESET with a code.
    struct Reset: Sendable {
        let speaker: Speaker
        let login: String
        let code: Secret
        let new: Secret
    }

    struct Administration: Sendable {
        let speaker: Speaker
        let administrator: Account
        let action: AdminAction
    }
}

extension Speaker {
    var origin: Origin { Origin(person, on: connection.network) }
}
