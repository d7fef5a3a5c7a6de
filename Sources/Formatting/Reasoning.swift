/// The thinking aloud of reasoning models, which some servers leave in the answer.
public enum Reasoning {
    private static let opening = Array("<think>".utf8)
    private static let closing = Array("</think>".utf8)

    /// The text without its reasoning: all up to the last `</think>`, and all from a `<think>` that nothing closes.
    ///
    /// The opening mark may be missing, since many prompt templates say it for the model. A mark in backticks is spoken
    /// about, not used, and an opening one counts only at the start of a line. Nothing may be left: then there was no answer.
    public static func removed(from text: String) -> String {
        var rest = Array(text.utf8)[...]
        guard rest.contains(UInt8(ascii: "<")) else { return text }
        if let end = lastClosing(rest, from: rest.startIndex) { rest = rest[end...] }
        if let start = firstOpening(rest) { rest = rest[..<start] }
        if rest.count == text.utf8.count { return text }
        return String(decoding: rest.drop(while: isSpace), as: UTF8.self)
    }

    /// Finds where the answer begins in a text that comes piece by piece.
    ///
    /// The same place as in `removed(from:)` of all that came up to the first word of the answer. What the model thinks is
    /// looked at once and let go, however long it thinks.
    public struct Filter: Sendable {
        /// What may yet be a part of the answer, or of a mark. Within the reasoning its first byte is there only to tell
        /// whether a mark behind it is quoted.
        private(set) var kept: [UInt8] = []
        /// The spaces before the first word, which stay where nothing was taken off.
        private var indent: [UInt8] = []
        private var isThinking = false
        private var hasThought = false

        public init() {}

        /// The answer as far as it is there, once something of it is; nothing is to be asked after that.
        public mutating func answer(after piece: String) -> String? {
            kept += Array(piece.utf8)
            if let end = lastClosing(kept[...], from: isThinking ? 1 : 0) {
                kept.removeFirst(end)
                indent = []
                (isThinking, hasThought) = (false, true)
            }
            if isThinking {
                kept.removeFirst(max(0, kept.count - closing.count))
                return nil
            }
            let blank = kept.prefix(while: isSpace)
            indent += blank
            kept.removeFirst(blank.count)
            if kept.starts(with: opening) {
                kept.removeFirst(max(opening.count - 1, kept.count - closing.count))
                indent = []
                (isThinking, hasThought) = (true, true)
                return nil
            }
            // `<thi` may become `<think>`.
            guard !kept.isEmpty, !opening.starts(with: kept) else { return nil }
            return removed(from: String(decoding: (hasThought ? [] : indent) + kept, as: UTF8.self))
        }
    }

    /// Where the last closing mark ends, of those that begin at `start` or later.
    private static func lastClosing(_ text: ArraySlice<UInt8>, from start: Int) -> Int? {
        var index = text.endIndex - closing.count
        while index >= start {
            let isQuoted = index > text.startIndex && text[index - 1] == UInt8(ascii: "`")
            if text[index] == closing[0], !isQuoted, text[index...].starts(with: closing) {
                return index + closing.count
            }
            index -= 1
        }
        return nil
    }

    private static func firstOpening(_ text: ArraySlice<UInt8>) -> Int? {
        var isLineStart = true
        for index in text.indices {
            if isLineStart && text[index] == opening[0] && text[index...].starts(with: opening) { return index }
            isLineStart = text[index] == UInt8(ascii: "\n") || isLineStart && isSpace(text[index])
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
}
