import Domain

/// The number of somebody without a visit, never used again for another.
struct StrangerID: Hashable, Sendable {
    let connection: ConnectionID
    let number: UInt64
}

/// People who are spoken to without a visit, for as long as nothing shows that somebody else has their nick.
///
/// The server does not tell when they leave. Whatever it tells of somebody at their nick is minded: another address, a
/// QUIT, a change of nick. Invariant: under one nick there is one of them, and of a connection no more than `limit`;
/// whoever is known longest is forgotten then, and what waits for them is not said.
struct Strangers: Sendable {
    private struct Stranger {
        let number: UInt64
        let address: String
        /// The visit they had while they were in sight.
        var visit: VisitID?
    }

    private let limit: Int
    private var known: [ConnectionID: [Nick: Stranger]] = [:]
    private var nicks: [StrangerID: Nick] = [:]
    private var formerVisits: [VisitID: Nick] = [:]
    private var lastNumber: UInt64 = 0

    init(limit: Int = 2048) { self.limit = limit }

    /// The number of somebody who has no visit; the same as before for the same nick at the same address.
    mutating func id(of person: Person, on connection: ConnectionID) -> StrangerID {
        compare(person, on: connection)
        if let stranger = known[connection]?[person.nick] {
            return StrangerID(connection: connection, number: stranger.number)
        }
        if known[connection, default: [:]].count >= limit { forgetOlderHalf(on: connection) }
        lastNumber += 1
        let id = StrangerID(connection: connection, number: lastNumber)
        known[connection, default: [:]][person.nick] = Stranger(number: lastNumber, address: person.address)
        nicks[id] = person.nick
        return id
    }

    /// Somebody goes out of sight and is there still, as far as anybody knows: what is for the visit reaches them.
    mutating func keep(_ visit: Visit) {
        guard let person = visit.person else { return }
        _ = id(of: person, on: visit.id.connection)
        if let former = known[visit.id.connection]?[visit.nick]?.visit { formerVisits[former] = nil }
        known[visit.id.connection]?[visit.nick]?.visit = visit.id
        formerVisits[visit.id] = visit.nick
    }

    /// Where they are; nil where somebody else may be.
    func nick(of id: StrangerID) -> Nick? { nicks[id] }

    /// Where whoever had a visit is since it ended; nil where somebody else may be.
    func nick(formerly visit: VisitID) -> Nick? { formerVisits[visit] }

    func address(of nick: Nick, on connection: ConnectionID) -> String? { known[connection]?[nick]?.address }

    /// Takes in whatever tells of people.
    mutating func take(_ event: ChatEvent) {
        let connection = event.connection
        guard known[connection]?.isEmpty == false else { return }
        switch event.kind {
        case .online, .offline, .casemapping: forgetAll(on: connection)
        case .joined(let person, _), .seen(let person, _), .servicesAccount(let person): compare(person, on: connection)
        case .message(let message): compare(message.sender, on: connection)
        case .members(_, let members):
            for member in members {
                guard let person = member.person else {
                    forget(member.nick, on: connection)
                    continue
                }
                compare(person, on: connection)
            }
        case .watched(_, let person):
            if let person { compare(person, on: connection) }
        case .quit(let nick): forget(nick, on: connection)
        case .renamed(let old, let new):
            forget(old.nick, on: connection)
            forget(new, on: connection)
        case .moved(let old, _, _): forget(old.nick, on: connection)
        case .ownNick, .entered, .ranked, .channelRenamed, .left, .expelled, .refused, .unwatched: break
        }
    }

    private mutating func compare(_ person: Person, on connection: ConnectionID) {
        guard let stranger = known[connection]?[person.nick], stranger.address != person.address else { return }
        forget(person.nick, on: connection)
    }

    /// Whoever had this nick is there no longer.
    mutating func forget(_ nick: Nick, on connection: ConnectionID) {
        guard let stranger = known[connection]?.removeValue(forKey: nick) else { return }
        remove(stranger, on: connection)
    }

    /// Half of them at once: what the next one costs does not grow with how many there are.
    private mutating func forgetOlderHalf(on connection: ConnectionID) {
        let all = known[connection] ?? [:]
        for (nick, _) in all.sorted(by: { $0.value.number < $1.value.number }).prefix((all.count + 1) / 2) {
            forget(nick, on: connection)
        }
    }

    private mutating func forgetAll(on connection: ConnectionID) {
        for stranger in (known.removeValue(forKey: connection) ?? [:]).values { remove(stranger, on: connection) }
    }

    private mutating func remove(_ stranger: Stranger, on connection: ConnectionID) {
        nicks[StrangerID(connection: connection, number: stranger.number)] = nil
        if let visit = stranger.visit { formerVisits[visit] = nil }
    }
}
