import Domain
import Formatting

/// An answer as the lines that are said of it.
///
/// A place in it is counted in bytes of its lines, each with a line end and without formatting codes: that is what the store
/// keeps of how far somebody has read, since it means the same however long the lines on the wire are and however they look.
struct Rendition: Sendable, Equatable {
    let format: AnswerFormat
    private(set) var lines: [String]
    /// The place in the whole answer at which the lines begin.
    private(set) var start = 0

    /// `isCut` says that the model ended for want of tokens.
    init(_ answer: String, isCut: Bool, format: AnswerFormat = .plain) {
        self.format = format
        let all = format == .irc ? Markdown.formattedLines(answer) : Markdown.plainLines(answer)
        // A line of which nothing can be seen is no line on the wire.
        lines = all.filter(\.isVisible)
        if lines.isEmpty { lines = [Phrases.nothingToShow] }
        if isCut { lines.append(Phrases.cut) }
    }

    /// Words of the bot's own in place of an answer.
    init(phrase: String) {
        format = .plain
        lines = [phrase]
    }

    /// What places count: the lines without codes, each with a line end.
    var plain: String { lines.map { FormattingCode.stripped($0) + "\n" }.joined() }

    /// The place in the whole answer that is so many bytes into a line; lines are counted from 0.
    func offset(line: Int, byte: Int) -> Int {
        lines.prefix(line).reduce(start) { $0 + FormattingCode.stripped($1).utf8.count + 1 } + byte
    }

    /// The place behind what was said while the answer came in: as much of it as the answer really begins with.
    ///
    /// That is all of it, unless the model's text changed behind its back, as when a server first lets thoughts through and
    /// then ends them. Then the line in which the two part is said again.
    func place(after said: String) -> Int {
        let plain = Array(plain.utf8)
        let common = zip(plain, said.utf8).prefix { $0 == $1 }.count
        if common == said.utf8.count { return common }
        return (plain[..<common].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    }

    /// What stands behind a place, without the spaces it begins with within a line. A place within a character, which only
    /// another version of the bot can have meant, gives the whole character.
    func rest(from offset: Int) -> Rendition {
        var rest = self
        var left = offset
        while let line = rest.lines.first {
            let count = FormattingCode.stripped(line).utf8.count
            guard left >= count else { break }
            left -= count + 1
            rest.start += count + 1
            rest.lines.removeFirst()
            if left < 0 { return rest }
        }
        guard left > 0, let line = rest.lines.first else { return rest }
        rest.lines[0] = Self.suffix(of: line, from: left)
        rest.start += FormattingCode.stripped(line).utf8.count - FormattingCode.stripped(rest.lines[0]).utf8.count
        return rest
    }

    /// A line from a place on, the codes that are on there switched on again.
    private static func suffix(of line: String, from place: Int) -> String {
        var start = line.startIndex
        var left = place
        while left > 0 {
            let next = line.index(after: start)
            let character = line[start..<next].utf8
            if character.count == 1, FormattingCode(rawValue: character[start]) != nil {
                start = next
                continue
            }
            guard character.count <= left else { break }
            left -= character.count
            start = next
        }
        let open = FormattingCode.open(after: line[..<start].utf8).map(\.rawValue)
        return String(decoding: open + Array(line[start...].drop { $0 == " " }.utf8), as: UTF8.self)
    }
}
