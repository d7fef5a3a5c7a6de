import Domain
import Formatting

/// An answer as the lines that are said of it.
///
/// A place in it is counted in bytes of its lines, each with a line end and without formatting codes: that is what the store
/// keeps of how far somebody has read, since it means the same however long the lines on the wire are and however they look.
struct Rendition: Sendable, Equatable {
    let format: AnswerFormat
    private(set) var content: [MarkdownLine]
    /// The place in the whole answer at which the lines begin.
    private(set) var start = 0

    /// `isCut` says that the model ended for want of tokens.
    init(_ answer: String, isCut: Bool, format: AnswerFormat = .plain) {
        self.format = format
        // A line of which nothing can be seen is no line on the wire.
        content = Markdown.lines(answer, isFormatted: format == .irc).filter(\.text.isVisible)
        if content.isEmpty { content = [MarkdownLine(Phrases.nothingToShow)] }
        if isCut { content.append(MarkdownLine(Phrases.cut)) }
    }

    /// Words of the bot's own in place of an answer.
    init(phrase: String) {
        format = .plain
        content = [MarkdownLine(phrase)]
    }

    var lines: [String] { content.map(\.text) }

    /// Which of the lines are code, counted from 0.
    var codeLines: Set<Int> { Set(content.indices.filter { content[$0].isCode }) }

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

    /// What stands behind a place, without the spaces it begins with within a line that is no code. A place within a
    /// character, which only another version of the bot can have meant, gives the whole character.
    func rest(from offset: Int) -> Rendition {
        var rest = self
        var left = offset
        var gone = 0
        for line in content {
            let size = line.size
            guard left >= size else { break }
            left -= size + 1
            rest.start += size + 1
            gone += 1
            if left < 0 { break }
        }
        rest.content = Array(content[gone...])
        guard left > 0, let line = rest.content.first else { return rest }
        rest.content[0] = line.rest(from: left)
        rest.start += line.size - rest.content[0].size
        return rest
    }
}

extension MarkdownLine {
    /// Bytes, formatting codes not counted.
    fileprivate var size: Int { FormattingCode.stripped(text).utf8.count }

    /// The line from a place on, the codes that are on there switched on again.
    fileprivate func rest(from place: Int) -> MarkdownLine {
        var start = text.startIndex
        var left = place
        while left > 0 {
            let next = text.index(after: start)
            let character = text[start..<next].utf8
            if character.count == 1, FormattingCode(rawValue: character[start]) != nil {
                start = next
                continue
            }
            guard character.count <= left else { break }
            left -= character.count
            start = next
        }
        let open = FormattingCode.open(after: text[..<start].utf8).map(\.rawValue)
        let behind = isCode ? text[start...] : text[start...].drop { $0 == " " }
        let rest = String(decoding: open + Array(behind.utf8), as: UTF8.self)
        let gone = size - FormattingCode.stripped(rest).utf8.count
        let code = self.code.filter { $0.upperBound > gone }
            .map { max(0, $0.lowerBound - gone)..<($0.upperBound - gone) }
        return MarkdownLine(rest, code: code, isCode: isCode)
    }
}
