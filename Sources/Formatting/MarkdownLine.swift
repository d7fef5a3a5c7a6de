internal import Domain

/// A line of a text as people read it, and what of it is code: there, what is said must be what they copy.
public struct MarkdownLine: Sendable, Equatable {
    public let text: String
    /// Bytes of the text, formatting codes not counted, that are code; in order.
    public let code: [Range<Int>]
    /// A line of a block of code, and nothing else.
    public let isCode: Bool

    public init(_ text: String, code: [Range<Int>] = [], isCode: Bool = false) {
        self.text = text
        self.code = code
        self.isCode = isCode
    }

    /// Stands before and behind code in a line that is being filled. No text has it, and no cell of a table is wider by it.
    static let codeMark: UInt8 = 0x11

    /// A line as it was filled, behind what stands before it; no blank at its end, and each tab four spaces, as the gate on
    /// what is sent would have it: places in a line are the same before and behind it.
    init(_ prefix: String, _ marked: ArraySlice<UInt8>, isCode: Bool) {
        var bytes = Array(prefix.utf8)
        var code: [Range<Int>] = []
        var start: Int?
        var place = bytes.count
        for byte in marked {
            switch byte {
            case Self.codeMark:
                if let begun = start { code.append(begun..<place) }
                start = start == nil ? place : nil
            case UInt8(ascii: "\t"):
                bytes += Array("    ".utf8)
                place += 4
            default:
                bytes.append(byte)
                if FormattingCode(rawValue: byte) == nil { place += 1 }
            }
        }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        self.init(
            String(decoding: bytes, as: UTF8.self), code: isCode ? [0..<place] : code, isCode: isCode)
    }
}
