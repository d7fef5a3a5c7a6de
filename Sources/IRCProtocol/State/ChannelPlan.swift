package import Domain

/// In which channels the bot is to be, and when each is tried (again).
///
/// Refusals that may pass are tried again after 5, 15 and 60 minutes, then twice more hourly; others are given up at
/// once. A kick, or a PART by another's hand, is answered by one return, a minute later: whoever does it twice within an
/// hour means it. Kicks are remembered across connections. An invitation is another chance, but none to come back to where
/// the bot was kicked out within the hour. Times are those of one monotonic clock.
package struct ChannelPlan: Sendable {
    private enum State: Equatable {
        case away, joining, inside
        case waiting(until: Duration)
        case refused
        /// Kicked out; nil for good.
        case barred(until: Duration?)
    }

    private struct Entry {
        let settings: ChannelSettings
        var state = State.away
        var refusals = 0
        var kickedAt: Duration?
        /// Its name since the server renamed it, on this connection.
        var newName: String?

        var name: String { newName ?? settings.name }
    }

    /// What a refusal or kick leads to.
    package enum Consequence: Equatable, Sendable { case retry(after: Duration), givenUp }

    private static let waits: [Duration] = [
        .seconds(300), .seconds(900), .seconds(3600), .seconds(3600), .seconds(3600),
    ]
    private static let kickWait = Duration.seconds(60)
    private static let kickSpan = Duration.seconds(3600)
    /// Between two invitations that are taken: people could have the bot knock at a door without end.
    private static let invitationPause = Duration.seconds(60)

    private var entries: [Entry]
    private var invitedAt: Duration?
    /// Where the entry of each name is, by whatever mapping: a server can make up any number of channels to ask about.
    private var places: [CaseMapping: [ChannelName: Int]] = [:]

    package init(_ channels: [ChannelSettings]) {
        entries = channels.map { Entry(settings: $0) }
        places = Self.places(of: entries)
    }

    private static func places(of entries: [Entry]) -> [CaseMapping: [ChannelName: Int]] {
        let mappings = [CaseMapping.ascii, .rfc1459, .rfc1459Strict]
        return mappings.reduce(into: [:]) { places, mapping in
            let names = entries.enumerated().map { (ChannelName($1.name, mapping), $0) }
            places[mapping] = Dictionary(names) { first, _ in first }
        }
    }

    /// A new connection: nothing is joined and a refusal may have passed, but a kick still counts.
    package mutating func reset() {
        for index in entries.indices {
            entries[index].refusals = 0
            entries[index].newName = nil
            if case .barred = entries[index].state { continue }
            entries[index].state = .away
        }
        places = Self.places(of: entries)
    }

    /// The channels to join now; each counts as being joined from here on.
    package mutating func due(at now: Duration) -> [ChannelSettings] {
        var due: [ChannelSettings] = []
        for index in entries.indices {
            switch entries[index].state {
            case .away: break
            case .waiting(let until) where until <= now: break
            case .barred(let until?) where until <= now: break
            default: continue
            }
            entries[index].state = .joining
            // By the name it goes by now: who was kicked out of a renamed channel comes back to that one.
            due.append(ChannelSettings(name: entries[index].name, key: entries[index].settings.key))
        }
        return due
    }

    /// When `due` will have something next.
    package var next: Duration? {
        let moments = entries.compactMap { entry -> Duration? in
            switch entry.state {
            case .waiting(let until): until
            case .barred(let until): until
            case .away, .joining, .inside, .refused: nil
            }
        }
        return moments.min()
    }

    /// The channels the bot is in, by the names they go by now.
    package var entered: [String] { entries.filter { $0.state == .inside }.map(\.name) }

    /// Whether the bot is meant to be there.
    package func contains(_ channel: ChannelName, _ mapping: CaseMapping) -> Bool { index(of: channel, mapping) != nil }

    package func isInside(_ channel: ChannelName, _ mapping: CaseMapping) -> Bool {
        index(of: channel, mapping).map { entries[$0].state == .inside } ?? false
    }

    package mutating func entered(_ channel: ChannelName, _ mapping: CaseMapping) {
        guard let index = index(of: channel, mapping) else { return }
        entries[index].state = .inside
        entries[index].refusals = 0
    }

    /// Takes the numeric that refused a JOIN; nil where it is about no channel of the plan that is being joined.
    package mutating func refused(_ channel: ChannelName, by numeric: Int, at now: Duration, _ mapping: CaseMapping)
        -> Consequence?
    {
        guard let index = index(of: channel, mapping), entries[index].state == .joining else { return nil }
        guard let wait = wait(after: numeric, refusals: entries[index].refusals) else {
            entries[index].state = .refused
            return .givenUp
        }
        entries[index].refusals += 1
        entries[index].state = .waiting(until: now + wait)
        return .retry(after: wait)
    }

    package mutating func removed(from channel: ChannelName, at now: Duration, _ mapping: CaseMapping) -> Consequence? {
        guard let index = index(of: channel, mapping) else { return nil }
        defer { entries[index].kickedAt = now }
        if let last = entries[index].kickedAt, now - last < Self.kickSpan {
            entries[index].state = .barred(until: nil)
            return .givenUp
        }
        entries[index].state = .barred(until: now + Self.kickWait)
        return .retry(after: Self.kickWait)
    }

    /// Whether the bot is to go there now; only to channels of the plan, for it goes nowhere its operator did not send it.
    package mutating func invited(to channel: ChannelName, at now: Duration, _ mapping: CaseMapping) -> Bool {
        guard let index = index(of: channel, mapping) else { return false }
        if let invitedAt, now - invitedAt < Self.invitationPause { return false }
        if let kickedAt = entries[index].kickedAt, now - kickedAt < Self.kickSpan { return false }
        guard ![.inside, .joining].contains(entries[index].state) else { return false }
        invitedAt = now
        entries[index].state = .away
        return true
    }

    /// The server gave a channel another name; false where it is none of the plan.
    package mutating func renamed(_ old: ChannelName, to new: ChannelName, _ mapping: CaseMapping) -> Bool {
        guard let index = index(of: old, mapping) else { return false }
        entries[index].newName = new.spelling
        places = Self.places(of: entries)
        return true
    }

    /// The name that a channel goes by now; its own for one that is none of the plan, or was not renamed.
    package func current(_ channel: ChannelName, _ mapping: CaseMapping) -> ChannelName {
        let renamed = entries.first { $0.newName != nil && ChannelName($0.settings.name, mapping) == channel }
        return renamed.map { ChannelName($0.name, mapping) } ?? channel
    }

    private func index(of channel: ChannelName, _ mapping: CaseMapping) -> Int? {
        places[mapping]?[channel]
    }

    /// Nil where trying again is no use.
    private func wait(after numeric: Int, refusals: Int) -> Duration? {
        switch numeric {
        // Full, invite only, key, registered people only, throttled; then InspIRCd's flood guards and its wait after a
        // kick (495, 500), and "join fewer targets" (439).
        case 439, 471, 473, 475, 477, 480, 495, 500: refusals < Self.waits.count ? Self.waits[refusals] : nil
        case 437: Self.waits[0]
        default: nil
        }
    }
}
