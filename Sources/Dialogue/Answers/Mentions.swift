import Domain
import Formatting

/// The nicks of a channel's members in an answer.
///
/// Clients ring for whom a line names. An answer that names more than two people, as a list of all present would, is to
/// ring for nobody: their nicks are broken by a sign that nobody sees.
enum Mentions {
    /// So many nicks are names; more are a roll call.
    static let most = 2
    /// U+2060, word joiner: without width, and no place to end a line.
    static let joiner = "\u{2060}"

    /// Tells the member who has this nick.
    typealias Member = (Substring) -> Nick?

    /// Every member that these lines name.
    static func nicks(in lines: [String], _ member: Member) -> Set<Nick> {
        Set(lines.flatMap { line in names(in: line, member).map(\.nick) })
    }

    /// The line with each member's nick broken after its first character, but for those in code: what is copied and run must
    /// be what was written.
    static func broken(_ content: MarkdownLine, _ member: Member) -> String {
        let line = content.text
        var result = ""
        var start = line.startIndex
        var counted = (index: line.startIndex, bytes: 0)
        var code = content.code[...]
        for (range, _) in names(in: line, member) {
            let passed = line.utf8[counted.index..<range.lowerBound].count { FormattingCode(rawValue: $0) == nil }
            counted = (range.lowerBound, counted.bytes + passed)
            code = code.drop { $0.upperBound <= counted.bytes }
            if code.first?.contains(counted.bytes) == true { continue }
            let second = line.index(after: range.lowerBound)
            result += line[start..<second] + joiner
            start = second
        }
        return result + line[start...]
    }

    /// How many bytes of a line the first so many of its broken form stand for, formatting codes not counted.
    static func bytes(_ count: Int, of broken: String, in line: String) -> Int {
        let broken = Array(FormattingCode.stripped(broken).utf8)
        let line = Array(FormattingCode.stripped(line).utf8)
        let joiner = Array(joiner.utf8)
        var at = 0
        var own = 0
        while at < min(count, broken.count), own < line.count {
            if broken[at...].starts(with: joiner) && !line[own...].starts(with: joiner) {
                at += joiner.count
            } else {
                at += 1
                own += 1
            }
        }
        return own
    }

    /// Words that are nicks; else what of their letters and digits is, as in `[alice]` or `alice|bob`.
    private static func names(in line: String, _ member: Member) -> [(range: Range<String.Index>, nick: Nick)] {
        runs(of: line[...], where: isOfNick).flatMap { word in
            if let nick = member(line[word]) { return [(word, nick)] }
            return runs(of: line[word], where: isLetterOrNumber).compactMap { part in
                // All of it was looked for.
                part == word ? nil : member(line[part]).map { (part, $0) }
            }
        }
    }

    private static func runs(of text: Substring, where isIn: (Character) -> Bool) -> [Range<String.Index>] {
        var runs: [Range<String.Index>] = []
        var rest = text
        while let start = rest.firstIndex(where: isIn) {
            let end = rest[start...].firstIndex { !isIn($0) } ?? rest.endIndex
            runs.append(start..<end)
            rest = rest[end...]
        }
        return runs
    }

    /// RFC 2812 section 2.3.1, and the letters of networks with other nicks.
    private static func isOfNick(_ character: Character) -> Bool {
        isLetterOrNumber(character) || "[]\\`_^{|}-".contains(character)
    }

    /// Most are ASCII, of which nothing has to be looked up.
    private static func isLetterOrNumber(_ character: Character) -> Bool {
        guard let ascii = character.asciiValue else { return character.isLetter || character.isNumber }
        return switch ascii {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension Bot {
    /// The lines of an answer in a channel as they may be said: with whole nicks, or broken ones if there are many. What
    /// was said of it before named these members.
    func withoutRollCall(_ answer: Rendition, _ turn: Turn, _ named: Set<Nick>) -> [String] {
        guard let member = member(of: turn) else { return answer.lines }
        guard Mentions.nicks(in: answer.lines, member).union(named).count > Mentions.most else { return answer.lines }
        return answer.content.map { Mentions.broken($0, member) }
    }

    /// The members of the channel whom these lines of an answer name, besides its asker.
    func members(in lines: [String], _ turn: Turn) -> Set<Nick> {
        member(of: turn).map { Mentions.nicks(in: lines, $0) } ?? []
    }

    private func member(of turn: Turn) -> Mentions.Member? {
        guard let channel = turn.place.channel, let presence = roster.presence(on: turn.speaker.connection)
        else {
            return nil
        }
        let asker = roster.visit(turn.visit)?.nick ?? turn.speaker.nick
        return { word in
            let nick = Nick(String(word), presence.mapping)
            return nick != asker && presence.isMember(nick, of: channel) ? nick : nil
        }
    }
}
