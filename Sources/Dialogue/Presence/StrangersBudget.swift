import Domain

/// How much people who are not logged in are told: help, hints, refusals. Whoever wants to can ask for those without end,
/// from many nicks.
///
/// A value without clocks. Each person and each host has lines to spare, which come back with time; what would be more than
/// is left is not said at all.
struct StrangersBudget: Sendable {
    struct Limits: Sendable, Equatable {
        /// So many lines at once.
        var lines: Int
        /// Then one more each.
        var interval: Duration
    }

    private enum Key: Hashable {
        case person(NetworkName, Nick, address: String)
        case host(NetworkName, String)
    }

    static let ofPerson = Limits(lines: 12, interval: .seconds(4))
    static let ofHost = Limits(lines: 36, interval: .milliseconds(1500))

    /// So many people and hosts are remembered; beyond that others are told nothing until some are forgotten.
    private let limit: Int
    /// When all lines are there again.
    private var fullAt: [Key: Duration] = [:]

    init(limit: Int = 4096) { self.limit = limit }

    /// Whether so many lines may be said to them now; then they count as said.
    mutating func allows(_ lines: Int, to person: Person, on network: NetworkName, now: Duration) -> Bool {
        let keys = [
            (Key.person(network, person.nick, address: person.address), Self.ofPerson),
            (Key.host(network, person.host), Self.ofHost),
        ]
        let after = keys.map { key, limits in max(fullAt[key] ?? now, now) + limits.interval * lines }
        guard zip(after, keys).allSatisfy({ $0 - now <= $1.1.interval * $1.1.lines }) else { return false }
        if fullAt.count + keys.count > limit { fullAt = fullAt.filter { $0.value > now } }
        guard fullAt.count + keys.count <= limit else { return false }
        for (moment, key) in zip(after, keys) { fullAt[key.0] = moment }
        return true
    }
}
