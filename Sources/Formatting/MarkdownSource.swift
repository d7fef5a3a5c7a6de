/// Markdown text as it is given to the parser: what must not be taken for markup is defused.
///
/// Fused (`Fuse`, `Defuser`) are:
/// - `<`, unless it opens an autolink such as `<https://…>` or is a `<br>` behind text: people mean `<stdin>`, and hidden
///   HTML would be lost;
/// - `&`, so that `&lt;` stays what was written about;
/// - `]:`, so that `[INFO]: started` is no link definition and does not vanish, and `](` before what no link leads to;
/// - backslashes that shield nothing (`Escapes`), with what they stand before, and all that is within a formula;
/// - `>` before what is no quote;
/// - containers deeper than `deepest` in one line, and delimiter rows of tables wider than `widest` or more than
///   `maxDelimiterRows` without a blank line between: the parser of Debian 12 takes quadratic time over them, and over
///   wide tables quadratic memory (2.3 GB for 44 kB of text).
struct MarkdownSource {
    /// Quotes and list items one line may open.
    static let deepest = 16
    /// Columns a table may have.
    static let widest = 32
    /// Tables that may follow each other, or delimiter rows that belong to none.
    static let maxDelimiterRows = 4

    /// What the parser reads, UTF-8.
    let bytes: [UInt8]
    /// Where each line of `bytes` begins.
    private let lineStarts: [Int]

    init(_ text: Substring) {
        let text = Fuse.cleaned(Array(text.utf8))
        var defuser = Defuser(capacity: text.count + text.count / 8)
        var lineStarts: [Int] = []
        var delimiterRows = 0
        var isTable = false
        var line = Self.firstLine(of: text[...])
        while !line.isEmpty {
            let next = Self.firstLine(of: text[line.endIndex...])
            lineStarts.append(defuser.bytes.count)
            if line.allSatisfy(Self.isBlank) {
                delimiterRows = 0
                isTable = false
            } else if let columns = Self.columnsOfDelimiterRow(line) {
                delimiterRows += 1
                if columns > Self.widest || delimiterRows > Self.maxDelimiterRows { defuser.add(Fuse.empty) }
            } else if Self.columnsOfDelimiterRow(next) != nil {
                isTable = true
            }
            defuser.add(line, isTableRow: isTable)
            line = next
        }
        self.bytes = defuser.bytes
        self.lineStarts = lineStarts
    }

    /// Bytes of the text from a place on that the parser names, both counted from 1; empty where there is no such place.
    func bytes(line: Int, column: Int) -> ArraySlice<UInt8> {
        guard lineStarts.indices.contains(line - 1), column >= 1 else { return [] }
        return bytes.dropFirst(lineStarts[line - 1] + column - 1)
    }

    /// With its end, which is LF, CR or CRLF (CommonMark section 2.1).
    private static func firstLine(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = text.firstIndex(where: isLineEnd) else { return text }
        let isPair = text[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
        return text[...(isPair ? end + 1 : end)]
    }

    /// Where the `number`th container marker of a line begins: `>`, or a bullet or number with a blank behind it.
    static func startOfMarker(number: Int, in line: ArraySlice<UInt8>) -> Int? {
        var rest = line
        var count = 0
        while true {
            rest = rest.drop(while: isBlank)
            guard let width = widthOfMarker(rest) else { return nil }
            count += 1
            if count == number { return rest.startIndex }
            rest = rest.dropFirst(width)
        }
    }

    /// A bullet or number with the blank behind it, or a quote's `>`; nil where there is none.
    static func widthOfMarker(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return nil }
        if first == UInt8(ascii: ">") { return isQuote(text) ? 1 : nil }
        var marker = text.prefix(9).prefix(while: ASCII.isDigit).count
        if marker > 0 {
            guard let end = text.dropFirst(marker).first, end == UInt8(ascii: ".") || end == UInt8(ascii: ")") else {
                return nil
            }
            marker += 1
        } else {
            guard first == UInt8(ascii: "-") || first == UInt8(ascii: "+") || first == UInt8(ascii: "*") else {
                return nil
            }
            marker = 1
        }
        guard let behind = text.dropFirst(marker).first else { return nil }
        return isBlank(behind) ? marker + 1 : nil
    }

    /// Whether the `>` that the text begins with marks a quote: words are quoted, and `>=5`, `>_<` and `>>> x` are none.
    static func isQuote(_ text: ArraySlice<UInt8>) -> Bool {
        let run = text.prefix(4).prefix { $0 == UInt8(ascii: ">") }.count
        guard run < 4, let next = text.dropFirst(run).first else { return true }
        return run != 3 && !"=_.<^&|/;,0123456789".utf8.contains(next)
    }

    /// The columns of a line that may be the delimiter row of a table, in a quote or not; nil for any other line.
    private static func columnsOfDelimiterRow(_ line: ArraySlice<UInt8>) -> Int? {
        var bars = 0
        var isRow = false
        for byte in line {
            switch byte {
            case UInt8(ascii: "|"):
                bars += 1
                isRow = true
            case UInt8(ascii: ":"): isRow = true
            case UInt8(ascii: "-"), UInt8(ascii: ">"): break
            default: guard isBlank(byte) else { return nil }
            }
        }
        return isRow ? max(1, bars - 1) : nil
    }

    /// CommonMark section 6.5, but a scheme must be one: `vector<std::string>` is no link.
    static func isAutolink(_ text: ArraySlice<UInt8>) -> Bool { LinkTarget.hasScheme(text) }

    /// `<br>`, which models write in table cells for want of another way; spoken about it stands in quotes or between blanks.
    static func isLineBreak(_ text: ArraySlice<UInt8>, behind previous: UInt8) -> Bool {
        guard !isBlank(previous), previous != 0, !"\"'`([{<=\\".utf8.contains(previous)
        else { return false }
        return ["br>", "br/>", "br />"].contains { text.starts(with: $0.utf8) }
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
    }
}
