import Domain

/// Says a thing once and not again for a while: refusals, hints and warnings that many lines would bring about.
struct Courtesy: Sendable {
    enum Topic: Hashable, Sendable {
        case howToStart
        case refusal
        case secretInPublic
        case greeting
        case welcome
    }

    private struct Key: Hashable {
        let connection: ConnectionID
        let nick: Nick
        let topic: Topic
    }

    /// So many people are remembered; beyond that nobody is told until some are forgotten.
    private let limit: Int
    private var lastTold: [Key: Duration] = [:]

    init(limit: Int = 4096) { self.limit = limit }

    /// Makes the keys of a connection again by the casemapping that holds there now.
    mutating func remap(_ mapping: CaseMapping, on connection: ConnectionID) {
        let renewed = lastTold.map { key, told in
            guard key.connection == connection else { return (key, told) }
            let nick = Nick(key.nick.spelling, mapping)
            return (Key(connection: connection, nick: nick, topic: key.topic), told)
        }
        // Of two people who are one now, whoever was told last was told.
        lastTold = Dictionary(renewed, uniquingKeysWith: max)
    }

    /// Whether to say it now; then it counts as said.
    mutating func allows(
        _ topic: Topic, to nick: Nick, on connection: ConnectionID, every pause: Duration, now: Duration
    ) -> Bool {
        let key = Key(connection: connection, nick: nick, topic: topic)
        if let last = lastTold[key], now - last < pause { return false }
        if lastTold.count >= limit { lastTold = lastTold.filter { now - $0.value < .seconds(600) } }
        guard lastTold.count < limit else { return false }
        lastTold[key] = now
        return true
    }
}
