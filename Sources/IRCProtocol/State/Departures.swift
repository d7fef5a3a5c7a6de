package import Domain

/// Whose nick stopped meaning them while the link's reader has not yet heard of it.
///
/// The reader decides on what it knows; what it says to a nick must not reach somebody who took that nick in between.
/// Each departure carries the number of its event, and whoever speaks says up to which event they have heard.
package struct Departures: Sendable {
    private struct Departure {
        let number: UInt64
        /// The same person under the new nick.
        let successor: Nick?
    }

    private struct Arrival {
        let number: UInt64
        let address: String
    }

    private static let fewest = 256

    private var departures: [Nick: Departure] = [:]
    /// Who turned up under a nick, in case it was another's when the speaker last heard of it: of somebody out of sight
    /// nobody tells that they left.
    private var arrivals: [Nick: Arrival] = [:]
    /// Twice what was left the last time, so that a netsplit costs no look at all of them for each.
    private var prunedAt = Self.fewest

    package init() {}

    /// `handled` is how far the reader has come: what it knows already is forgotten here now and then.
    package mutating func left(_ nick: Nick, for successor: Nick? = nil, number: UInt64, handled: UInt64) {
        departures[nick] = Departure(number: number, successor: successor)
        prune(handled)
    }

    package mutating func arrived(_ nick: Nick, from address: String, number: UInt64, handled: UInt64) {
        arrivals[nick] = Arrival(number: number, address: address)
        prune(handled)
    }

    private mutating func prune(_ handled: UInt64) {
        guard departures.count + arrivals.count >= prunedAt else { return }
        departures = departures.filter { $0.value.number > handled }
        arrivals = arrivals.filter { $0.value.number > handled }
        prunedAt = max(Self.fewest, (departures.count + arrivals.count) * 2)
    }

    /// Makes every key again by the casemapping that holds now; of two that became one the later departure counts.
    package mutating func remap(_ mapping: CaseMapping) {
        let renewed = departures.map { nick, departure in
            let successor = departure.successor.map { Nick($0.spelling, mapping) }
            return (Nick(nick.spelling, mapping), Departure(number: departure.number, successor: successor))
        }
        departures = Dictionary(renewed) { $0.number > $1.number ? $0 : $1 }
        arrivals = Dictionary(arrivals.map { (Nick($0.spelling, mapping), $1) }) { $0.number > $1.number ? $0 : $1 }
    }

    /// Whom a line to this nick, for somebody at this address, reaches when its speaker knew the events up to `heard`; nil
    /// when that one is gone.
    package func recipient(_ nick: Nick, at address: String? = nil, heard: UInt64) -> Nick? {
        var nick = nick
        var heard = heard
        // Someone may have changed nick twice; numbers only grow, so this ends.
        while let departure = departures[nick], departure.number > heard {
            guard let successor = departure.successor else { return nil }
            nick = successor
            heard = departure.number
        }
        if let address, let arrival = arrivals[nick], arrival.number > heard, arrival.address != address { return nil }
        return nick
    }
}
