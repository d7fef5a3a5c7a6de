import Domain

/// Whom a notice is for: a person as the bot knows them, and nobody who comes to have their nick.
///
/// Where they are is asked when the notice is said, not when it was decided: work takes its time, and people come and go.
enum Addressee: Hashable, Sendable {
    case visit(VisitID)
    /// Somebody who has no visit.
    case stranger(StrangerID)

    var connection: ConnectionID {
        switch self {
        case .visit(let id): id.connection
        case .stranger(let id): id.connection
        }
    }
}
