/// How much of a text that is still coming in can be rendered now, because nothing that follows can change how it looks.
///
/// Markdown is not read line by line: `**` finds its partner two sentences later, a line of dashes makes a table of what
/// stood before. So a text is settled up to the last of these places, and doubt settles nothing:
/// - behind a blank line, behind a heading, before a list item;
/// - behind a line of fenced code;
/// - behind a sentence or line of a paragraph in which every mark has found its partner, and which is no table.
///
/// Invariant: the lines of the settled text are, to the byte, the beginning of the lines of the whole. Each byte is looked at
/// once, and what is rendered on the way is in proportion to the text, in however many pieces it comes.
public struct SettledMarkdown: Sendable {
    /// Longer texts are not settled any more but at their end: `Markdown` divides them by their size.
    private static let longest = Markdown.maxParsedSize / 2

    private var text: [UInt8] = []
    /// Where the line begins whose end is not there yet.
    private var lineStart = 0
    private var settled = 0
    private var blockStart = 0
    private var fence: (mark: UInt8, count: Int)?
    /// What the block may be shows when it is over: a table, or a formula of several lines.
    private var mayBeOther = false
    private var isList = false
    /// The first byte that will be seen whatever follows.
    private var firstText: Int?

    /// How far the text was looked at.
    private var scanned = 0
    private var sentences = SentenceEnds()
    /// The line that comes in was seen to be an item.
    private var isItemSeen = false
    /// Where the marks of the block are.
    private var marks: [Int] = []
    /// For so many marks of the block: whether all had found their partners.
    private var verdicts: [Int: Bool] = [:]
    /// Bytes that may still be rendered to see whether marks have their partners: what settles late is no harm, and a text of
    /// nothing but marks, in pieces of a letter, would be rendered for each of them.
    private var credit = 64 * 1024

    public init() {}

    public mutating func append(_ piece: String) {
        let added = piece.utf8.count
        text += piece.utf8
        guard text.count <= Self.longest else { return }
        credit += 8 * added
        while scanned < text.count {
            let byte = text[scanned]
            if byte == UInt8(ascii: "\n") {
                take(text[lineStart..<scanned])
                scanned += 1
                lineStart = scanned
                isItemSeen = false
                sentences = SentenceEnds()
                continue
            }
            guard fence != nil || sentences.take(text[scanned...], at: scanned) else { break }
            if Self.isMark(byte) { marks.append(scanned) }
            if byte == UInt8(ascii: "|") && fence == nil { mayBeOther = true }
            scanned += 1
        }
        takePart(text[lineStart..<scanned])
    }

    /// Bytes of the text that are settled.
    public var count: Int {
        // A rule or an empty heading alone would be passed on as it is, and with text behind it goes.
        guard text.count <= Self.longest, let firstText, settled > firstText else { return 0 }
        return settled
    }

    /// The settled part, but for tokens at its end, which would go if it were the whole.
    public var prefix: String { ControlTokens.removed(fromEndOf: String(decoding: text[..<count], as: UTF8.self)) }

    /// A whole line.
    private mutating func take(_ line: ArraySlice<UInt8>) {
        let content = line.drop(while: MarkdownSource.isBlank)
        let next = line.endIndex + 1
        if let fence {
            noteText(line)
            settle(next)
            begin(at: next)
            if Self.fence(content).map({ $0.mark == fence.mark && $0.count >= fence.count }) == true {
                self.fence = nil
            }
        } else if content.isEmpty {
            settle(next)
            begin(at: next)
            mayBeOther = false
            isList = false
        } else if let opening = Self.fence(Self.withoutMarkers(content)) {
            // What stands before a fence is over; the fence itself shows nothing.
            settle(line.startIndex)
            begin(at: next)
            fence = opening
            mayBeOther = false
        } else {
            noteText(line)
            takeItem(line, content)
            if content.starts(with: "$$".utf8) || content.starts(with: "\\[".utf8) { mayBeOther = true }
            guard !mayBeOther else { return }
            guard isBalanced(upTo: line.endIndex) else { return settleSentences() }
            settle(next)
            if content.first == UInt8(ascii: "#") { begin(at: next) }
        }
    }

    /// A line as far as it is there.
    private mutating func takePart(_ line: ArraySlice<UInt8>) {
        guard fence == nil, !mayBeOther, let start = line.firstIndex(where: { !MarkdownSource.isBlank($0) }) else {
            return
        }
        let content = line[start...].prefix(Self.maxMarkerLength)
        // It may become a fence, or a formula.
        if "`~$\\".utf8.contains(Self.withoutMarkers(content).first ?? 0) { return }
        takeItem(line, content)
        settleSentences()
    }

    private static let maxMarkerLength = 32

    private mutating func takeItem(_ line: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) {
        guard !isItemSeen, Self.isItem(content, inList: isList || blockStart == line.startIndex) else { return }
        // The marker alone may still become a rule or a heading's underline.
        guard content.count > 3 else { return }
        if !mayBeOther { settle(line.startIndex) }
        begin(at: line.startIndex)
        isItemSeen = true
        isList = true
    }

    private mutating func settle(_ end: Int) { settled = max(settled, end) }

    private mutating func begin(at start: Int) {
        blockStart = start
        marks = Array(marks.drop { $0 < start })
        verdicts = [:]
    }

    private mutating func noteText(_ line: ArraySlice<UInt8>) {
        if firstText == nil { firstText = line.firstIndex(where: LineRenderer.isWordByte) }
    }

    /// Settles the last sentence of a line behind which more has begun.
    private mutating func settleSentences() {
        let ends = sentences.takeFound()
        guard !ends.isEmpty, !mayBeOther else { return }
        noteText(text[lineStart..<scanned])
        if let end = ends.last(where: { $0 > settled && isBalanced(upTo: $0) }) { settle(end) }
    }

    /// Whether every mark in the block so far has found its partner: none is left in what is rendered of it.
    ///
    /// Without further marks none finds its partner, so it is seen once for each number of them, and only as long as the
    /// credit lasts.
    private mutating func isBalanced(upTo end: Int) -> Bool {
        let count = countOfMarks(before: end)
        guard count > 0 else { return true }
        if let verdict = verdicts[count] { return verdict }
        let block = text[blockStart..<end]
        guard credit >= block.count else { return false }
        credit -= block.count
        // Between dollars that are yet to come emphasis may turn out to be a product.
        let mayBeFormula =
            block.contains(UInt8(ascii: "$")) && block.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "_") }
        let lines = mayBeFormula ? [] : Markdown.plainLines(String(decoding: block, as: UTF8.self))
        let verdict = !mayBeFormula && lines.allSatisfy { !$0.utf8.contains(where: Self.isMark) }
        verdicts[count] = verdict
        return verdict
    }

    private func countOfMarks(before end: Int) -> Int {
        var known = 0..<marks.count
        while !known.isEmpty {
            let middle = known.lowerBound + known.count / 2
            known = marks[middle] < end ? (middle + 1)..<known.upperBound : known.lowerBound..<middle
        }
        return known.lowerBound
    }

    static func isMark(_ byte: UInt8) -> Bool { "*_`[]<>~\\&".utf8.contains(byte) }

    // MARK: Lines

    /// CommonMark section 4.5.
    private static func fence(_ content: ArraySlice<UInt8>) -> (mark: UInt8, count: Int)? {
        guard let mark = content.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
        let count = content.prefix { $0 == mark }.count
        guard count >= 3 else { return nil }
        if mark == UInt8(ascii: "`"), content.dropFirst(count).contains(mark) { return nil }
        return (mark, count)
    }

    private static func withoutMarkers(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var content = content
        while let width = MarkdownSource.widthOfMarker(content) {
            content = content.dropFirst(width).drop(while: MarkdownSource.isBlank)
        }
        return content
    }

    /// Whether a list item begins here: within a paragraph only bullets and a 1 do (CommonMark section 5.3).
    private static func isItem(_ content: ArraySlice<UInt8>, inList: Bool) -> Bool {
        guard let width = MarkdownSource.widthOfMarker(content), let first = content.first, first != UInt8(ascii: ">")
        else { return false }
        guard content.dropFirst(width).contains(where: { !MarkdownSource.isBlank($0) }) else { return false }
        return inList || "-+*".utf8.contains(first) || content.prefix(width - 2).elementsEqual("1".utf8)
    }
}
