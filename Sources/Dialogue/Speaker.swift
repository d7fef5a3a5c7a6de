import Domain
import Storage

/// Who said a line, and what is known of them at that moment.
struct Speaker: Sendable {
    let connection: ConnectionID
    let person: Person
    /// Where it was said.
    let place: Place
    /// To whom goes what is said in return.
    let addressee: Addressee
    let login: Login?

    var nick: Nick { person.nick }

    /// Nil where the bot would not see them leave: they share no channel with it, and no server watches them.
    var visit: VisitID? {
        guard case .visit(let visit) = addressee else { return nil }
        return visit
    }
}

/// A question on its way to its answer.
struct Turn: Sendable {
    let id: TurnID
    let speaker: Speaker
    let visit: VisitID
    let account: Account
    let place: Place
    /// As it was when it was asked last; lines may join it while nothing of the answer was said.
    var question: String
    let askedAt: Timestamp
    /// The same moment for limits.
    let countedAt: Moment
    /// The number of the exchange whose question this is, asked again.
    var retryOf: Int?

    var asker: Asker { Asker(account.id, in: place) }
}

/// What `hear` decided; each is performed in a task of its own, so that nothing waits for the API, a hash or a queue.
enum Work: Sendable {
    /// Say what waits for this person.
    case notices(Addressee)
    /// Take back what is on its way to a nick, and only then say something to whom it is for.
    case discard(Lane, thenSay: [String], to: Addressee)
    case register(RegistrationRequest)
    case logIn(LoginRequest)
    /// Have somebody watched who shares no channel, for a command that logs in.
    case watch(Lane)
    /// Have them watched no longer, unless they are logged in.
    case unwatch(Lane)
    case changePassword(PasswordRequest)
    /// Look into what this speaker said in public.
    case exposed(Exposures.Speaking)
    case suspect(SuspectLine)
    case change(AccountChange)
    case logInByServices(Speaker, VisitID, ServicesLink)
    case admin(AdminRequest)
    case loadIgnores
    case setQuiet(Bool, QuietChannel, by: String)
    case sendReset(Speaker, login: String)
    case reset(ResetRequest)
    case turn(Turn)
    case history(Speaker, VisitID, count: Int)
    case undelivered(Spoken)
    case sayPlainly(Spoken)
    /// Show what is left of an answer: of this one, else of the latest.
    case more(Speaker, VisitID, number: Int?)
    case startAfresh(Speaker, Account)
    case retry(Speaker, VisitID, Account)
    case remark(Utterance)
    case noteOpen(VisitID)
    case noteClosed(OpenLogin)
}

/// A nick on a connection, whoever has it.
struct Lane: Hashable, Sendable {
    let connection: ConnectionID
    let nick: Nick
}

struct RegistrationRequest: Sendable {
    let speaker: Speaker
    let name: AccountName
    let password: Secret
    let email: EmailAddress?
    let firstName: String?
    let lastName: String?
}

struct LoginRequest: Sendable {
    let speaker: Speaker
    let visit: VisitID
    /// An account name or an e-mail address, as it was typed; the nick where none was.
    let login: String
    let isNamed: Bool
    let password: Secret
}

/// An answer that is being said or was lately, in case the server turns out not to take it.
struct Spoken: Sendable {
    let exchange: ExchangeID
    let number: Int
    let turn: Turn
    /// The place in it where what is being said begins.
    var start = 0
    /// When its last line was written; nil while lines wait.
    var saidAt: Duration?
    var isRefused = false
    /// Some of it carries formatting codes.
    var isFormatted = false
    /// It is about to be said without them.
    var isSaidAgain = false
}
