/// The places of a line that comes in behind which sentences have ended, each with a blank and the start of another behind it:
/// `e.g. this` ends none, and neither does the number of a list item. In scripts without spaces the full stop itself is enough.
struct SentenceEnds: Sendable {
    /// What is looked at behind a full stop: closing marks, and blanks.
    private static let most = 8

    private var word = 0
    private var isStart = true
    private var found: [Int] = []

    /// Those found since it was last asked.
    mutating func takeFound() -> [Int] {
        defer { found = [] }
        return found
    }

    /// Takes the first byte of what is there, which stands at `index`; false where more has to come to tell what it is.
    mutating func take(_ text: ArraySlice<UInt8>, at index: Int) -> Bool {
        guard let byte = text.first else { return false }
        if byte == UInt8(ascii: " ") {
            if word > 0 { isStart = false }
            word = 0
            return true
        }
        var end = End.none
        if ".!?".utf8.contains(byte) {
            end = Self.end(behind: text)
            if isStart && word <= 2, case .after = end { end = .none }
        } else if byte == 0xE3 || byte == 0xEF {
            end = Self.wideEnd(text)
        }
        if case .unknown = end { return false }
        if case .after(let width) = end { found.append(index + width) }
        word += 1
        return true
    }

    private enum End {
        /// A sentence ends after so many bytes.
        case after(Int)
        case none
        /// More has to come.
        case unknown
    }

    private static func end(behind text: ArraySlice<UInt8>) -> End {
        let closing = text.dropFirst().prefix(most).prefix { ")\"'*_".utf8.contains($0) }.count
        let behind = text.dropFirst(1 + closing).prefix(most)
        guard let first = behind.first else { return .unknown }
        guard first == UInt8(ascii: " ") else { return .none }
        guard let next = behind.first(where: { $0 != UInt8(ascii: " ") }) else {
            return behind.count == most ? .none : .unknown
        }
        let isSame = next == UInt8(ascii: "\n") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
        return isSame ? .none : .after(1 + closing)
    }

    /// `。`, `！` and `？`, unless a closing bracket or quote follows, or a mark.
    private static func wideEnd(_ text: ArraySlice<UInt8>) -> End {
        let near = Array(text.prefix(6).prefix { $0 != UInt8(ascii: "\n") })
        guard near.count == 6 else { return text.count > near.count ? .none : .unknown }
        let stops: [[UInt8]] = [[0xE3, 0x80, 0x82], [0xEF, 0xBC, 0x81], [0xEF, 0xBC, 0x9F]]
        guard stops.contains(Array(near[..<3])), !SettledMarkdown.isMark(near[3]) else { return .none }
        let isClosing = [[0xE3, 0x80], [0xEF, 0xBC], [0xE2, 0x80]].contains(Array(near[3..<5]))
        return isClosing ? .none : .after(3)
    }
}
