import Domain

/// Turns the nodes of a `MarkdownTree`, in their order, into lines, plain or with formatting codes.
struct LineRenderer {
    /// A quote or list item around what is being rendered.
    private enum Container {
        case quote
        /// `marker` stands before the item's first line only; later ones are indented.
        case item(marker: String)
    }

    private struct List {
        var next: Int?
        var first: Int?
        var end: String
    }

    /// Deeper containers indent no further: on IRC nobody could tell, and a line must have room for its text.
    private static let deepestIndent = 16

    private let source: MarkdownSource
    private(set) var lines: [MarkdownLine] = []
    /// The line, or table cell, being filled.
    private var line: [UInt8] = []
    private var containers: [Container] = []
    private var lists: [List] = []
    /// What open emphasis puts at its end: nothing, or its marks where they are no markup.
    private var openMarks: [[UInt8]] = []
    /// Where in `line` the text of each open link begins.
    private var openLinks: [Int] = []
    private var table: PlainTable?

    private let isFormatted: Bool
    /// How deep the codes are nested: the second bold would end the first.
    private var depths: [FormattingCode: Int] = [:]
    /// What is switched on, the first one first.
    private var open: [FormattingCode] = []

    init(source: MarkdownSource, isFormatted: Bool) {
        self.source = source
        self.isFormatted = isFormatted
    }

    mutating func visit(_ node: MarkdownNode, _ event: MarkdownTree.Event) {
        switch (node.kind, event) {
        case (.quote, .enter): containers.append(.quote)
        case (.quote, .exit): containers.removeLast()
        case (.list, .enter): lists.append(List(next: node.firstNumber, first: node.firstNumber, end: node.numberEnd))
        case (.list, .exit): lists.removeLast()
        case (.item, .enter): containers.append(.item(marker: takeMarker(of: node)))
        case (.item, .exit): leaveItem()
        case (.code, _): addCode(node)
        case (.heading, .enter): begin(.bold)
        case (.heading, .exit):
            end(.bold)
            endLine()
        case (.paragraph, .exit): endLine()
        case (.text, _): line += node.literal
        case (.inlineCode, _): addInlineCode(node.literal)
        case (.softBreak, _), (.lineBreak, _): addBreak()
        case (.emphasis, .enter), (.strong, .enter): openEmphasis(node)
        case (.emphasis, .exit), (.strong, .exit): closeEmphasis(node)
        case (.link, .enter), (.image, .enter): openLinks.append(line.count)
        case (.link, .exit), (.image, .exit): closeLink(to: node.url)
        case (.table, .enter): table = PlainTable(rightAligned: node.rightAligned)
        case (.table, .exit): leaveTable()
        case (.tableHeader, .enter), (.tableRow, .enter): table?.beginRow()
        case (.tableCell, .exit): endCell()
        case (.document, _), (.rule, _), (.paragraph, _): break
        case (.tableHeader, _), (.tableRow, _), (.tableCell, _): break
        }
    }

    // MARK: Lines

    /// Ends the line being filled; a blank one comes to nothing.
    private mutating func endLine(isCode: Bool = false) {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.contains(where: { $0 > 0x20 }) else { return }
        lines.append(MarkdownLine(takePrefix(), line[...], isCode: isCode))
    }

    // MARK: Codes

    private mutating func begin(_ code: FormattingCode) {
        guard isFormatted else { return }
        depths[code, default: 0] += 1
        guard depths[code] == 1 else { return }
        open.append(code)
        line.append(code.rawValue)
    }

    private mutating func end(_ code: FormattingCode) {
        guard isFormatted, let depth = depths[code] else { return }
        depths[code] = depth - 1
        guard depth == 1 else { return }
        open.removeAll { $0 == code }
        line.append(code.rawValue)
    }

    /// What stands before a line: quotes, indentation, and the markers of items that have not shown theirs.
    private mutating func takePrefix() -> String {
        var prefix = ""
        for (depth, container) in containers.enumerated() {
            switch container {
            case .quote: if depth < Self.deepestIndent { prefix += "> " }
            case .item(let marker):
                if marker.isEmpty {
                    if depth < Self.deepestIndent { prefix += "  " }
                } else {
                    prefix += marker
                    containers[depth] = .item(marker: "")
                }
            }
        }
        return prefix
    }

    /// An item without a line of its own is still an item: `42.` is an answer.
    private mutating func leaveItem() {
        if case .item(let marker) = containers.last, !marker.isEmpty {
            containers[containers.count - 1] = .item(marker: "")
            line = Array(marker.utf8)
            let item = containers.removeLast()
            endLine()
            containers.append(item)
        }
        containers.removeLast()
    }

    /// `- `, `3. ` or `- [x] `, as the source has it: a `+` may be a sign, and a countdown counts down.
    private mutating func takeMarker(of item: MarkdownNode) -> String {
        let (line, column) = item.start
        let written = source.bytes(line: line, column: column)
        let task = item.isTicked.map { $0 ? "[x] " : "[ ] " } ?? ""
        guard let list = lists.last, let next = list.next else {
            return (written.first == UInt8(ascii: "+") ? "+ " : "- ") + task
        }
        let digits = written.prefix(while: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        var number = Int(String(decoding: digits.prefix(9), as: UTF8.self)) ?? next
        // A list that repeats its first number leaves the counting to the reader of the markup.
        if number == list.first { number = next }
        lists[lists.count - 1].next = next + 1
        return "\(number)\(list.end) " + task
    }

    private mutating func addCode(_ node: MarkdownNode) {
        for row in node.literal.split(separator: UInt8(ascii: "\n")) {
            line = Array("  ".utf8) + row
            endLine(isCode: true)
        }
    }

    // MARK: Inlines

    /// A line end in a link or table cell would tear it apart.
    private mutating func addBreak() {
        guard openLinks.isEmpty && table == nil else { return line.append(UInt8(ascii: " ")) }
        line += open.reversed().map(\.rawValue)
        endLine()
        line += open.map(\.rawValue)
    }

    /// A word of code speaks for itself; of several words, or of punctuation, one could not see where it ends, and
    /// backticks are the quotes that nobody takes for a part of a command.
    private mutating func addInlineCode(_ code: [UInt8]) {
        let isWord = code.contains(where: Self.isWordByte) && !code.contains(UInt8(ascii: " "))
        let quote = isWord || code.contains(UInt8(ascii: "`")) ? [] : Array("`".utf8)
        line += quote + [MarkdownLine.codeMark] + code + [MarkdownLine.codeMark] + quote
    }

    private mutating func openEmphasis(_ node: MarkdownNode) {
        let (row, column) = node.start
        let isUnderscore = source.bytes(line: row, column: column).first == UInt8(ascii: "_")
        let emphasis = Emphasis(
            isStrong: node.kind == .strong, isUnderscore: isUnderscore, preceding: line.last { $0 >= 0x20 },
            following: node.following,
            content: node.onlyText)
        let marks = emphasis.isMeant ? [] : emphasis.marks
        line += marks
        openMarks.append(marks)
        if marks.isEmpty { begin(node.kind == .strong ? .bold : .italics) }
    }

    private mutating func closeEmphasis(_ node: MarkdownNode) {
        let marks = openMarks.removeLast()
        line += marks
        if marks.isEmpty { end(node.kind == .strong ? .bold : .italics) }
    }

    /// `text (url)`; the address alone where the text says the same, the text alone where the address leads nowhere else.
    private mutating func closeLink(to url: [UInt8]) {
        let start = openLinks.removeLast()
        let text = line[start...].filter { $0 >= 0x20 }[...]
        if url.isEmpty || url.first == UInt8(ascii: "#") { return }
        if text.isEmpty || ["http://", "https://"].contains(where: { Array($0.utf8) + text == url }) {
            line.replaceSubrange(start..., with: url)
        } else if text != url[...] && Array("mailto:".utf8) + text != url {
            line += Array(" (".utf8) + url + Array(")".utf8)
        }
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xFF:
            true
        default: false
        }
    }

    // MARK: Tables

    private mutating func endCell() {
        table?.add(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
    }

    private mutating func leaveTable() {
        for row in table?.lines ?? [] {
            line = Array(row.utf8)
            endLine()
        }
        table = nil
    }
}
