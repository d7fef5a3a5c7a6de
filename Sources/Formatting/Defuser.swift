/// Puts fuses into lines, one after the other, where markup would begin that is none.
struct Defuser {
    private(set) var bytes: [UInt8] = []
    /// For each `[` of the paragraph that has no `]` yet: whether it stands right behind a name or bracket, as an index.
    private var brackets: [Bool] = []
    /// What ends the formula that stands on lines of its own.
    private var formulaEnd: [UInt8]?

    /// The state of one line.
    private struct Line {
        let text: ArraySlice<UInt8>
        /// Behind blanks and the markers of quotes and items.
        let contentStart: Int
        let isTableRow: Bool
        var escapes: Escapes
        /// Up to here everything is a formula or code, and nothing in it markup.
        var literalEnd: Int
        /// Where each mark that ends a formula was found last; behind the line where there is no more.
        var ends: [[UInt8]: Int] = [:]
    }

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func add(_ bytes: [UInt8]) { self.bytes += bytes }

    mutating func add(_ text: ArraySlice<UInt8>, isTableRow: Bool) {
        let content = Self.contentStart(of: text)
        if text[content...].allSatisfy(MarkdownSource.isBlank) { endParagraph() }
        var line = Line(
            text: text, contentStart: content, isTableRow: isTableRow,
            escapes: Escapes(text, contentStart: content, isTableRow: isTableRow), literalEnd: text.startIndex)
        takeFormula(&line)
        let tooDeep = MarkdownSource.startOfMarker(number: MarkdownSource.deepest + 1, in: text)
        var index = text.startIndex
        while index < text.endIndex {
            if index == tooDeep { bytes += Fuse.empty }
            index = add(index, &line)
        }
    }

    /// Adds what stands at `index`, and gives the place behind it.
    private mutating func add(_ index: Int, _ line: inout Line) -> Int {
        let text = line.text
        let byte = text[index]
        let previous = index > text.startIndex ? text[index - 1] : 0
        let rest = text[(index + 1)...]
        switch byte {
        case UInt8(ascii: "<"):
            bytes.append(byte)
            if !MarkdownSource.isAutolink(rest) && !MarkdownSource.isLineBreak(rest, behind: previous) {
                bytes += Fuse.empty
            }
        case UInt8(ascii: "&"): bytes += [byte] + Fuse.empty
        case UInt8(ascii: ">") where index == line.contentStart: bytes += Fuse.empty + [byte]
        case UInt8(ascii: ":") where previous == UInt8(ascii: "]"): bytes += Fuse.empty + [byte]
        case _ where index < line.literalEnd: bytes += Fuse.inert(byte)
        case UInt8(ascii: "\\"): return addBackslash(index, &line)
        case UInt8(ascii: "$"):
            bytes.append(byte)
            if previous != byte { line.literalEnd = endOfFormula(index, &line) ?? line.literalEnd }
        case UInt8(ascii: "*"), UInt8(ascii: "_"):
            if line.escapes.isInCode(index) { bytes += Fuse.inert(byte) } else { addMark(index, text) }
        case UInt8(ascii: "["):
            brackets.append(ASCII.isName(previous) || ")]}>$".utf8.contains(previous))
            bytes.append(byte)
        case UInt8(ascii: "]"):
            bytes.append(byte)
            let isIndex = brackets.popLast() ?? false
            if rest.first == UInt8(ascii: "("), !LinkTarget.isOne(rest.dropFirst(), needsScheme: isIndex) {
                bytes += Fuse.empty
            }
        default: bytes.append(byte)
        }
        return index + 1
    }

    private mutating func addMark(_ index: Int, _ text: ArraySlice<UInt8>) {
        let seam = text[index] == UInt8(ascii: "*") ? Seam(of: text, at: index) : nil
        if seam == .before { bytes += Seam.mark }
        bytes.append(text[index])
        if seam == .behind { bytes += Seam.mark }
    }

    // MARK: Backslashes

    private mutating func addBackslash(_ index: Int, _ line: inout Line) -> Int {
        let text = line.text
        guard index + 1 < text.endIndex else {
            bytes += Fuse.inert(text[index])
            return index + 1
        }
        let next = text[index + 1]
        // In the row of a table the parser has to see it: what a bar there is, it alone knows.
        if next == UInt8(ascii: "|") && line.isTableRow {
            bytes += [text[index], next]
            return index + 2
        }
        if let end = endOfFormula(index, &line) {
            line.literalEnd = end
        } else if line.escapes.isShield(index) {
            bytes += text[index...(index + 1)]
            return index + 2
        }
        bytes += Fuse.inert(text[index])
        if MarkdownSource.isLineEnd(next) { return index + 1 }
        // Behind `C:\` marks may begin: `**C:\**`.
        let isDrive = index > text.startIndex && text[index - 1] == UInt8(ascii: ":")
        guard !isDrive, next != UInt8(ascii: "<"), next != UInt8(ascii: "&") else { return index + 1 }
        bytes += Fuse.inert(next)
        return index + 2
    }

    // MARK: Formulas

    private static let displays: [(begin: [UInt8], end: [UInt8])] = [
        (Array("\\[".utf8), Array("\\]".utf8)), (Array("$$".utf8), Array("$$".utf8)),
    ]

    /// A formula that began on a line before, or begins on this one and goes on.
    private mutating func takeFormula(_ line: inout Line) {
        if let end = formulaEnd {
            let found = line.text.firstRange(of: end)
            line.literalEnd = found?.upperBound ?? line.text.endIndex
            if found != nil { formulaEnd = nil }
            return
        }
        let rest = line.text[line.contentStart...]
        for (begin, end) in Self.displays where rest.starts(with: begin) {
            let text = rest.dropFirst(2)
            guard text.first.map(MarkdownSource.isBlank) != false, text.firstRange(of: end) == nil else { return }
            formulaEnd = end
            line.literalEnd = line.text.endIndex
        }
    }

    /// Where a formula ends that begins at `index`: `\(…\)`, `\[…\]`, `$$…$$`, or `$…$` with no blank inside its marks and no
    /// digit or letter behind them, as prices have it.
    private func endOfFormula(_ index: Int, _ line: inout Line) -> Int? {
        let rest = line.text[index...]
        guard let second = rest.dropFirst().first else { return nil }
        switch (rest[index], second) {
        case (UInt8(ascii: "\\"), UInt8(ascii: "(")): return end(of: "\\)", index, &line)
        case (UInt8(ascii: "\\"), UInt8(ascii: "[")):
            guard let end = end(of: "\\]", index, &line) else { return nil }
            let behind = line.text[end...]
            let isLink = behind.first == UInt8(ascii: "(") && LinkTarget.isOne(behind.dropFirst(), needsScheme: false)
            return isLink ? nil : end
        case (UInt8(ascii: "$"), UInt8(ascii: "$")): return end(of: "$$", index, &line)
        case (UInt8(ascii: "$"), _):
            guard !MarkdownSource.isBlank(second), second != UInt8(ascii: "`"),
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "$")),
                !MarkdownSource.isBlank(line.text[end - 1]), line.text[end - 1] != UInt8(ascii: "`"),
                line.text[(end + 1)...].first.map(ASCII.isName) != true
            else { return nil }
            return end + 1
        default: return nil
        }
    }

    private func end(of mark: String, _ index: Int, _ line: inout Line) -> Int? {
        let mark = Array(mark.utf8)
        var place = line.ends[mark] ?? 0
        if place < index + 2 {
            place = line.text[(index + 2)...].firstRange(of: mark)?.lowerBound ?? line.text.endIndex
            line.ends[mark] = place
        }
        return place < line.text.endIndex ? place + mark.count : nil
    }

    private mutating func endParagraph() {
        brackets.removeAll(keepingCapacity: true)
        formulaEnd = nil
    }

    private static func contentStart(of line: ArraySlice<UInt8>) -> Int {
        var rest = line.drop(while: MarkdownSource.isBlank)
        while let width = MarkdownSource.widthOfMarker(rest) {
            rest = rest.dropFirst(width).drop(while: MarkdownSource.isBlank)
        }
        return rest.startIndex
    }
}
