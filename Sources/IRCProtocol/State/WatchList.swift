package import Domain

/// The nicks that the server watches for the link's reader (MONITOR, <https://ircv3.net/specs/extensions/monitor>).
///
/// A value; times are those of one monotonic clock. Invariant: a nick is here only while it stands in the server's list, and
/// what the server tells of any other is nobody's news: it was asked about somebody who has gone.
package struct WatchList: Sendable {
    /// The server answers at once, or not at all where it has no room left.
    private static let patience = Duration.seconds(10)
    /// Everybody can make the bot ask, and each asking costs two lines that others wait for.
    private static let maxPerMinute = 10

    /// Until when an answer is awaited; nil for those who are there.
    private var watched: [Nick: Duration?] = [:]
    private var askedAt: [Duration] = []

    package init() {}

    /// Whether to ask the server now, whose list takes `limit` of these.
    package mutating func add(_ nick: Nick, limit: Int, at now: Duration) -> Bool {
        askedAt.removeAll { now - $0 >= .seconds(60) }
        guard watched[nick] == nil, watched.count < limit, askedAt.count < Self.maxPerMinute else { return false }
        askedAt.append(now)
        watched[nick] = .some(now + Self.patience)
        return true
    }

    package enum Sighting { case expected, unexpected, nobodys }

    /// Somebody has this nick. Once that is the answer to an asking; of somebody who is there already, it tells that they
    /// left meanwhile and were not told of.
    package mutating func sight(_ nick: Nick) -> Sighting {
        guard let until = watched[nick] else { return .nobodys }
        watched[nick] = .some(nil)
        return until == nil ? .unexpected : .expected
    }

    /// Whether the nick was here until now.
    package mutating func remove(_ nick: Nick) -> Bool { watched.removeValue(forKey: nick) != nil }

    /// The nicks for which no answer came in time; they are here no longer.
    package mutating func expired(at now: Duration) -> [Nick] {
        let late = watched.compactMap { nick, until in until.map { $0 <= now ? nick : nil } ?? nil }
        for nick in late { watched[nick] = nil }
        return late
    }

    /// When the next one may expire.
    package var next: Duration? { watched.values.compactMap(\.self).min() }

    /// Makes every key again by another casemapping; those that are one nick by it cannot be told apart and are no longer here.
    package mutating func remap(_ mapping: CaseMapping) -> [Nick] {
        let groups = Dictionary(grouping: watched) { Nick($0.key.spelling, mapping) }
        watched = [:]
        for (nick, entries) in groups where entries.count == 1 { watched[nick] = entries[0].value }
        return groups.filter { $0.value.count > 1 }.map(\.key)
    }
}
