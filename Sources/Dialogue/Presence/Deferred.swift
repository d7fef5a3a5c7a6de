import Domain

/// What people say while something of theirs is being decided: lines of a visit whose password is being checked, and
/// commands that log in of people whom the server is asked to watch first.
///
/// Invariant: every hold has one release, which gives all that was held in the order it was said, but for what is beyond
/// `maxLines`; nobody waits for the word of a connection that is over.
struct Deferred: Sendable {
    /// So many lines of a person wait; more are not heard.
    static let maxLines = 8

    private var held: [VisitID: [Message]] = [:]
    private var unwatched: [Lane: Unwatched] = [:]
    /// Nicks that the server is being told to watch no longer.
    private var unwatching: Set<Lane> = []

    // MARK: Passwords

    /// From now on what the visit says is held, until `release`.
    mutating func hold(_ visit: VisitID) { held[visit] = held[visit] ?? [] }

    func isHeld(_ visit: VisitID) -> Bool { held[visit] != nil }

    mutating func add(_ message: Message, of visit: VisitID) {
        if let lines = held[visit], lines.count < Self.maxLines { held[visit]?.append(message) }
    }

    /// What was held; nil where nothing was being.
    mutating func release(_ visit: VisitID) -> [Message]? { held.removeValue(forKey: visit) }

    // MARK: Watching

    /// A command waits for the server's word.
    mutating func awaitWatch(of lane: Lane, _ command: Unwatched) { unwatched[lane] = command }

    /// Adds a line of whoever waits for that word; false where nobody does, or it is somebody else's line.
    mutating func add(_ message: Message, of lane: Lane) -> Bool {
        guard let waiting = unwatched[lane], waiting.speaker.person.address == message.sender.address else {
            return false
        }
        if waiting.messages.count < Self.maxLines { unwatched[lane]?.messages.append(message) }
        return true
    }

    /// The server's word has come, or will not.
    mutating func takeUnwatched(_ lane: Lane) -> Unwatched? { unwatched.removeValue(forKey: lane) }

    /// Nobody waits there any more: the connection is over, or its nicks are others.
    mutating func forgetUnwatched(on connection: ConnectionID) {
        unwatched = unwatched.filter { $0.key.connection != connection }
    }

    mutating func beginUnwatching(_ lane: Lane) { unwatching.insert(lane) }

    mutating func endUnwatching(_ lane: Lane) { unwatching.remove(lane) }

    /// Two orders to the server about one nick could overtake each other.
    func isUnwatching(_ lane: Lane) -> Bool { unwatching.contains(lane) }
}

/// A command that waits until the server watches whoever said it.
struct Unwatched: Sendable {
    let speaker: Speaker
    let command: Command
    let arguments: [String]
    /// What they said since.
    var messages: [Message] = []
}
