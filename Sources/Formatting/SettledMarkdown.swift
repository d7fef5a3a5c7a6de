/// How much of a text that is still coming in can be rendered now, because nothing that follows can change how it looks.
///
/// Markdown is not read line by line: `**` finds its partner two sentences later, a line of dashes makes a table of what
/// stood before. So a text is settled up to the last of these places, and doubt settles nothing:
/// - behind a blank line, behind a heading, before a list item;
/// - behind a line of fenced code;
/// - behind a sentence or line of a paragraph in which every mark has found its partner, and which is no table.
///
/// Invariant: the lines of the settled text are, to the byte, the beginning of the lines of the whole.
public struct SettledMarkdown: Sendable {
    /// Longer texts are not settled any more but at their end: `Markdown` divides them by their size.
    private static let longest = Markdown.longestParsed / 2

    private var text: [UInt8] = []
    /// Where the line begins whose end is not there yet.
    private var lineStart = 0
    private var settled = 0
    private var blockStart = 0
    private var fence: (mark: UInt8, count: Int)?
    private var mayBeTable = false
    private var isList = false
    /// The first byte that will be seen whatever follows.
    private var firstText: Int?

    public init() {}

    public mutating func append(_ piece: String) {
        text += piece.utf8
        while let newline = text[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            take(text[lineStart..<newline], isComplete: true)
            lineStart = newline + 1
        }
    }

    /// The settled part.
    public var prefix: String {
        guard text.count <= Self.longest else { return "" }
        var copy = self
        copy.take(text[lineStart...], isComplete: false)
        // A rule or an empty heading alone would be passed on as it is, and with text behind it goes.
        guard let firstText = copy.firstText, copy.settled > firstText else { return "" }
        return String(decoding: text[..<copy.settled], as: UTF8.self)
    }

    private mutating func take(_ line: ArraySlice<UInt8>, isComplete: Bool) {
        let content = line.drop(while: MarkdownSource.isBlank)
        let next = line.endIndex + 1
        if let fence {
            guard isComplete else { return }
            settled = next
            blockStart = next
            noteText(line)
            if Self.fence(content).map({ $0.mark == fence.mark && $0.count >= fence.count }) == true {
                self.fence = nil
            }
        } else if content.isEmpty {
            guard isComplete else { return }
            settled = next
            blockStart = next
            mayBeTable = false
            isList = false
        } else if let opening = Self.fence(Self.withoutMarkers(content)) {
            // What stands before a fence is over; the fence itself shows nothing.
            settled = max(settled, line.startIndex)
            guard isComplete else { return }
            blockStart = next
            fence = opening
            mayBeTable = false
        } else {
            takeText(line, content, isComplete)
        }
    }

    private mutating func takeText(_ line: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>, _ isComplete: Bool) {
        noteText(line)
        if content.contains(UInt8(ascii: "|")) { mayBeTable = true }
        guard !mayBeTable else { return }
        if Self.isItem(content, inList: isList || blockStart == line.startIndex) {
            // The marker alone may still become a rule or a heading's underline.
            if content.count > 3 { settled = max(settled, line.startIndex) }
            blockStart = line.startIndex
            isList = true
        }
        settleSentences(line)
        guard isComplete, isBalanced(upTo: line.endIndex) else { return }
        settled = line.endIndex + 1
        if content.first == UInt8(ascii: "#") { blockStart = settled }
    }

    private mutating func noteText(_ line: ArraySlice<UInt8>) {
        if firstText == nil { firstText = line.firstIndex(where: LineRenderer.isWordByte) }
    }

    /// Settles the last sentence of a line behind which more has begun.
    private mutating func settleSentences(_ line: ArraySlice<UInt8>) {
        guard line.endIndex > settled else { return }
        let ends = Self.sentenceEnds(line).filter { $0 > settled }
        guard let end = ends.last(where: { isBalanced(upTo: $0) }) else { return }
        settled = end
    }

    /// Whether every mark in the block so far has found its partner: none is left in what is rendered of it.
    private func isBalanced(upTo end: Int) -> Bool {
        let block = text[blockStart..<end]
        guard block.contains(where: Self.isMark) else { return true }
        let lines = Markdown.plainLines(String(decoding: block, as: UTF8.self))
        return lines.allSatisfy { !$0.utf8.contains(where: Self.isMark) }
    }

    private static func isMark(_ byte: UInt8) -> Bool { "*_`[]<>~\\&".utf8.contains(byte) }

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

    // MARK: Sentences

    /// The places behind sentences, each where a blank and the start of another stand behind it: `e.g. this` ends none, and
    /// neither does the number of a list item. In scripts without spaces the full stop itself is enough.
    private static func sentenceEnds(_ line: ArraySlice<UInt8>) -> [Int] {
        var ends: [Int] = []
        var word = 0
        var isStart = true
        for index in line.indices {
            let byte = line[index]
            let rest = line[(index + 1)...]
            if byte == UInt8(ascii: " ") {
                if word > 0 { isStart = false }
                word = 0
                continue
            }
            word += 1
            if ".!?".utf8.contains(byte) {
                let closing = rest.prefix { ")\"'*_".utf8.contains($0) }.count
                let behind = rest.dropFirst(closing)
                guard behind.first == UInt8(ascii: " "), let next = behind.first(where: { $0 != UInt8(ascii: " ") }),
                    !isLowercase(next), !isStart || word > 3
                else { continue }
                ends.append(index + 1 + closing)
            } else if line[index...].starts(with: [0xE3, 0x80, 0x82])
                || line[index...].starts(with: [0xEF, 0xBC, 0x81]) || line[index...].starts(with: [0xEF, 0xBC, 0x9F])
            {
                // 。！？, unless a closing bracket or quote follows.
                let behind = line[(index + 3)...]
                guard behind.count >= 3, !behind.starts(with: [0xE3, 0x80]), !behind.starts(with: [0xEF, 0xBC]),
                    !behind.starts(with: [0xE2, 0x80]), behind.first.map(isMark) == false
                else { continue }
                ends.append(index + 3)
            }
        }
        return ends
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
