/// Markdown text as it is given to the parser: what must not be taken for markup is defused.
///
/// A fuse is the noncharacter U+FDD0, which no text may carry between programs (Unicode 15, section 23.7). Put where
/// markup would begin it makes it text, in code it is harmless, and `plain` takes every one out again. Fused are:
/// - `<`, unless it opens an autolink such as `<https://…>` or is a `<br>` behind text: people mean `<stdin>`, and hidden
///   HTML would be lost;
/// - `]:`, so that `[INFO]: started` is no link definition and does not vanish;
/// - `:\` and `¯\`, so that `C:\*.tmp` and `¯\_(ツ)_/¯` are no escapes;
/// - containers deeper than `deepest` in one line, and delimiter rows of tables wider than `widest` or more than
///   `mostDelimiterRows` without a blank line between: the parser of Debian 12 takes quadratic time over them, and over
///   wide tables quadratic memory (2.3 GB for 44 kB of text).
struct MarkdownSource {
    /// Quotes and list items one line may open.
    static let deepest = 16
    /// Columns a table may have.
    static let widest = 32
    /// Tables that may follow each other, or delimiter rows that belong to none.
    static let mostDelimiterRows = 4

    private static let fuse: [UInt8] = [0xEF, 0xB7, 0x90]
    private static let arm: ArraySlice<UInt8> = [0xC2, 0xAF]

    /// What the parser reads, UTF-8.
    let bytes: [UInt8]
    /// Where each line of `bytes` begins.
    private let lineStarts: [Int]

    init(_ text: Substring) {
        let text = Self.plain(Array(text.utf8))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + text.count / 8)
        var lineStarts: [Int] = []
        var delimiterRows = 0
        var rest = text[...]
        while !rest.isEmpty {
            let line = Self.firstLine(of: rest)
            lineStarts.append(bytes.count)
            if line.allSatisfy(Self.isBlank) {
                delimiterRows = 0
            } else if let columns = Self.columnsOfDelimiterRow(line) {
                delimiterRows += 1
                if columns > Self.widest || delimiterRows > Self.mostDelimiterRows { bytes += Self.fuse }
            }
            Self.defuse(line, into: &bytes)
            rest = rest[line.endIndex...]
        }
        self.bytes = bytes
        self.lineStarts = lineStarts
    }

    /// Bytes of the text from a place on that the parser names, both counted from 1; empty where there is no such place.
    func bytes(line: Int, column: Int) -> ArraySlice<UInt8> {
        guard lineStarts.indices.contains(line - 1), column >= 1 else { return [] }
        return bytes.dropFirst(lineStarts[line - 1] + column - 1)
    }

    /// The same without fuses and seams, and without control characters other than line ends and tabs.
    static func plain(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 == fuse[0] || $0 == Seam.mark[0] || isControl($0) }) else { return bytes }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            if let mark = [fuse, Seam.mark].first(where: { $0[0] == byte && rest.starts(with: $0) }) {
                rest = rest.dropFirst(mark.count)
            } else {
                if !isControl(byte) { plain.append(byte) }
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !isBlank(byte) || byte == 0x7F
    }

    /// With its end, which is LF, CR or CRLF (CommonMark section 2.1).
    private static func firstLine(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = text.firstIndex(where: isLineEnd) else { return text }
        let isPair = text[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
        return text[...(isPair ? end + 1 : end)]
    }

    private static func defuse(_ line: ArraySlice<UInt8>, into bytes: inout [UInt8]) {
        let tooDeep = startOfMarker(number: deepest + 1, in: line)
        for (index, byte) in zip(line.indices, line) {
            let previous = index > line.startIndex ? line[index - 1] : 0
            if index == tooDeep || byte == UInt8(ascii: ":") && previous == UInt8(ascii: "]") { bytes += fuse }
            switch byte {
            case UInt8(ascii: "\\"):
                bytes.append(byte)
                if previous == UInt8(ascii: ":") || line[..<index].suffix(2) == arm { bytes += fuse }
            case UInt8(ascii: "<"):
                bytes.append(byte)
                let rest = line[(index + 1)...]
                if !isAutolink(rest) && (isBlank(previous) || !isLineBreak(rest)) { bytes += fuse }
            case UInt8(ascii: "*"):
                let seam = Seam(of: line, at: index)
                if seam == .before { bytes += Seam.mark }
                bytes.append(byte)
                if seam == .behind { bytes += Seam.mark }
            default: bytes.append(byte)
            }
        }
    }

    /// Where the `number`th container marker of a line begins: `>`, or a bullet or number with a blank behind it.
    private static func startOfMarker(number: Int, in line: ArraySlice<UInt8>) -> Int? {
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
        if first == UInt8(ascii: ">") { return 1 }
        var marker = text.prefix(9).prefix(while: isDigit).count
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

    /// CommonMark section 6.5: a scheme of 2 to 32 characters and a colon.
    private static func isAutolink(_ text: ArraySlice<UInt8>) -> Bool {
        let scheme = text.prefix(33).prefix(while: { isLetter($0) || isDigit($0) || ".+-".utf8.contains($0) })
        guard scheme.count >= 2, let first = scheme.first, isLetter(first) else { return false }
        return text.dropFirst(scheme.count).first == UInt8(ascii: ":")
    }

    /// `<br>`, which models write in table cells for want of another way.
    private static func isLineBreak(_ text: ArraySlice<UInt8>) -> Bool {
        ["br>", "br/>", "br />"].contains { text.starts(with: $0.utf8) }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
