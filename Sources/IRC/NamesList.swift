import Domain

/// Collects the NAMES of channels until each list is complete (353 … 366).
struct NamesList: Sendable {
    private var open: [ChannelName: [Member]] = [:]

    /// Takes the names of a 353, `:@alice +bob`: with multi-prefix all marks stand before a nick, with userhost-in-names
    /// the whole mask follows.
    mutating func add(_ names: String, to channel: ChannelName, _ support: ISupport) {
        let marks = support.memberMarks
        open[channel, default: []] += names.split(separator: " ").map { name in
            let mask = name.drop { marks.contains($0) }
            let person = mask.contains("!") ? Person(mask: String(mask), support.caseMapping) : nil
            let ranks = name[..<mask.startIndex].compactMap { support.operatorRank(of: $0) }
            return Member(
                person?.nick ?? Nick(String(mask), support.caseMapping), person: person, ranks: Set(ranks))
        }
    }

    /// Takes a 366: the whole list, and it is forgotten here.
    mutating func finish(_ channel: ChannelName) -> [Member] { open.removeValue(forKey: channel) ?? [] }

    /// Makes every key again by the casemapping that holds now.
    mutating func remap(_ mapping: CaseMapping) {
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
