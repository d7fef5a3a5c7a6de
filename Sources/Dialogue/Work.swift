import Domain
import Storage

/// What `hear` decided; each is performed in a task of its own, so that nothing waits for the API, a hash or a queue.
enum Work: Sendable {
    /// Say what waits for this person.
    case notices(Addressee)
    /// Take back what is on its way to a nick, and only then say something to whom it is for.
    case discard(Lane, thenSay: [String], to: Addressee)
    /// Ask the account desk, say what came of it, and let the roster know.
    case account(AccountRequest)
    /// Have somebody watched who shares no channel, for a command that logs in.
    case watch(Lane)
    /// Have them watched no longer, unless they are logged in.
    case unwatch(Lane)
    /// Look into what this speaker said in public.
    case exposed(Exposures.Speaking)
    case suspect(SuspectLine)
    case logInByServices(Speaker, VisitID, ServicesLink)
    case loadIgnores
    case setQuiet(Bool, QuietChannel, by: String)
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
