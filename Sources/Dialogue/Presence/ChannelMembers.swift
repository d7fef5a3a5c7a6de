import Domain

/// Who is in a channel besides the bot, and who of them operates it.
struct ChannelMembers: Sendable {
    private(set) var nicks: Set<Nick> = []
    /// The mode letters of operators' ranks; members without one are not here.
    private var ranks: [Nick: Set<Character>] = [:]

    func isOperator(_ nick: Nick) -> Bool { ranks[nick] != nil }

    mutating func insert(_ nick: Nick, ranks: Set<Character> = []) {
        nicks.insert(nick)
        self.ranks[nick] = ranks.isEmpty ? nil : ranks
    }

    /// Whether they were there.
    @discardableResult
    mutating func remove(_ nick: Nick) -> Bool {
        ranks[nick] = nil
        return nicks.remove(nick) != nil
    }

    /// A member takes the ranks along to another nick.
    mutating func rename(_ old: Nick, to new: Nick) {
        let ranks = ranks[old] ?? []
        if remove(old) { insert(new, ranks: ranks) }
    }

    mutating func rank(_ nick: Nick, _ rank: Character, isHeld: Bool) {
        guard nicks.contains(nick) else { return }
        var held = ranks[nick] ?? []
        if isHeld { held.insert(rank) } else { held.remove(rank) }
        ranks[nick] = held.isEmpty ? nil : held
    }

    /// Takes in those of a channel that has the same name now. Of two nicks that became one neither keeps a rank.
    mutating func formUnion(_ other: ChannelMembers, _ mapping: CaseMapping) {
        for nick in other.nicks {
            let renewed = Nick(nick.spelling, mapping)
            insert(renewed, ranks: nicks.contains(renewed) ? [] : other.ranks[nick] ?? [])
        }
    }
}
