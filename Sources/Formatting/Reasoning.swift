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
        if let end = lastClosing(rest) { rest = rest[end...] }
        if let start = firstOpening(rest) { rest = rest[..<start] }
        if rest.count == text.utf8.count { return text }
        return String(decoding: rest.drop(while: isSpace), as: UTF8.self)
    }

    private static func lastClosing(_ text: ArraySlice<UInt8>) -> Int? {
        var index = text.endIndex - closing.count
        while index >= text.startIndex {
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
