package import Domain

/// Collects the NAMES of channels until each list is complete (353 … 366).
package struct NamesList: Sendable {
    /// A server may begin lists without end; no network has so many people, and the bot is in fewer channels.
    package static let maxNames = 100_000
    package static let maxOpen = 1000

    private var open: [ChannelName: [Member]] = [:]
    private var count = 0

    package init() {}

    /// Takes the names of a 353, `:@alice +bob`: with multi-prefix all marks stand before a nick, with userhost-in-names
    /// the whole mask follows.
    package mutating func add(_ names: String, to channel: ChannelName, _ support: ISupport) {
        guard count < Self.maxNames, open[channel] != nil || open.count < Self.maxOpen else { return }
        let marks = support.memberMarks
        let members = names.split(separator: " ").map { name in
            let mask = name.drop { marks.contains($0) }
            let person = mask.contains("!") ? Person(mask: String(mask), support.caseMapping) : nil
            let ranks = name[..<mask.startIndex].compactMap { support.operatorRank(of: $0) }
            return Member(
                person?.nick ?? Nick(String(mask), support.caseMapping), person: person, ranks: Set(ranks))
        }
        open[channel, default: []] += members
        count += members.count
    }

    /// Takes a 366: the whole list, and it is forgotten here.
    package mutating func finish(_ channel: ChannelName) -> [Member] {
        let members = open.removeValue(forKey: channel) ?? []
        count -= members.count
        return members
    }

    /// Makes every key again by the casemapping that holds now.
    package mutating func remap(_ mapping: CaseMapping) {
        let renewed = open.map { channel, members in
            (ChannelName(channel.spelling, mapping), members.map { $0.folded(by: mapping) })
        }
        open = Dictionary(renewed) { $0 + $1 }
    }
}

extension Member {
    fileprivate func folded(by mapping: CaseMapping) -> Member {
        let nick = Nick(nick.spelling, mapping)
        var person = person
        person?.nick = nick
        return Member(nick, person: person, ranks: ranks)
    }
}
