import Formatting

/// An answer as the lines that are said of it.
///
/// A place in it is counted in bytes of its lines, each with a line end: that is what the store keeps of how far somebody
/// has read, since it means the same however long the lines on the wire are.
struct Rendition: Sendable, Equatable {
    private(set) var lines: [String]

    /// `isCut` says that the model ended for want of tokens.
    init(_ answer: String, isCut: Bool) {
        // A line of which nothing can be seen is no line on the wire.
        lines = Markdown.plainLines(answer).filter(\.isVisible)
        if lines.isEmpty { lines = [Phrases.nothingToShow] }
        if isCut { lines.append(Phrases.cut) }
    }

    /// The place so many bytes into a line; lines are counted from 0.
    func offset(line: Int, byte: Int) -> Int {
        lines.prefix(line).reduce(0) { $0 + $1.utf8.count + 1 } + byte
    }

    /// What stands behind a place. A place within a character, which only another version of the bot can have meant, gives
    /// the whole character.
    func rest(from offset: Int) -> Rendition {
        var rest = self
        var left = offset
        while let line = rest.lines.first, left > line.utf8.count {
            left -= line.utf8.count + 1
            rest.lines.removeFirst()
        }
        guard left > 0, let line = rest.lines.first else { return rest }
        let place = line.utf8.index(line.startIndex, offsetBy: left)
        let start = line.indices.last { $0 <= place } ?? line.startIndex
        rest.lines[0] = String(line[(place == line.endIndex ? place : start)...])
        if rest.lines[0].isEmpty { rest.lines.removeFirst() }
        return rest
    }
}
