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
        let bytes = Array(line.utf8)
        var found: [(range: Range<String.Index>, nick: Nick)] = []
        for word in runs(of: bytes, in: bytes.indices, where: isOfWord) {
            let range = indices(of: word, in: line)
            guard bytes[word].allSatisfy({ $0 < 0x80 }) else {
                found += names(inScript: line[range], member)
                continue
            }
            if let nick = member(line[range]) {
                found.append((range, nick))
                continue
            }
            for part in runs(of: bytes, in: word, where: PlainWords.isLetterOrDigit) where part != word {
                let range = indices(of: part, in: line)
                if let nick = member(line[range]) { found.append((range, nick)) }
            }
        }
        return found
    }

    private static func indices(of bytes: Range<Int>, in line: String) -> Range<String.Index> {
        let start = line.utf8.index(line.startIndex, offsetBy: bytes.lowerBound)
        return start..<line.utf8.index(start, offsetBy: bytes.count)
    }

    private static func runs(
        of bytes: [UInt8], in range: Range<Int>, where isIn: (UInt8) -> Bool
    ) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = range.lowerBound
        for end in range where !isIn(bytes[end]) {
            if start < end { runs.append(start..<end) }
            start = end + 1
        }
        if start < range.upperBound { runs.append(start..<range.upperBound) }
        return runs
    }

    /// Of a word that may have nicks in it: RFC 2812 section 2.3.1, and the letters of networks with other nicks.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        PlainWords.isLetterOrDigit(byte) || byte >= 0x80 || "[]\\`_^{|}-".utf8.contains(byte)
    }

    // MARK: Letters beyond ASCII

    private static func names(
        inScript text: Substring, _ member: Member
    ) -> [(range: Range<String.Index>, nick: Nick)] {
        runs(of: text, where: isOfNick).flatMap { word in
            if let nick = member(text[word]) { return [(word, nick)] }
            return runs(of: text[word], where: isLetterOrNumber).compactMap { part in
                // All of it was looked for.
                part == word ? nil : member(text[part]).map { (part, $0) }
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

    private static func isOfNick(_ character: Character) -> Bool {
        isLetterOrNumber(character) || "[]\\`_^{|}-".contains(character)
    }

    private static func isLetterOrNumber(_ character: Character) -> Bool { character.isLetter || character.isNumber }
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
        let members = presence.members(of: channel)
        return { word in
            let nick = Nick(String(word), presence.mapping)
            return members.contains(nick) && nick != asker ? nick : nil
        }
    }
}
