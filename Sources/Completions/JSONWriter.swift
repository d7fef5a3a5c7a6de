/// Writes JSON (RFC 8259) into one buffer, for the little that is sent.
///
/// By hand: for a conversation JSONEncoder took longer than everything else that the bot does about a question.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether the next value follows another one in the same object or array.
    private var needsComma = false

    init() {}

    mutating func object(_ members: (inout JSONWriter) -> Void) { enclose("{", members, "}") }

    mutating func array(_ values: (inout JSONWriter) -> Void) { enclose("[", values, "]") }

    /// The name of an object's next member; its value must follow.
    mutating func name(_ name: StaticString) {
        text("\(name)")
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        text(value)
    }

    /// A number or a truth value, which Swift spells as JSON does.
    mutating func member(_ name: StaticString, _ value: some LosslessStringConvertible) {
        self.name(name)
        separate()
        bytes += String(value).utf8
    }

    /// A text in quotes; what must be escaped is, and nothing else.
    mutating func text(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.mustEscape) {
            for byte in text.utf8 { escape(byte) }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func enclose(
        _ opening: Unicode.Scalar, _ body: (inout JSONWriter) -> Void, _ closing: Unicode.Scalar
    ) {
        separate()
        bytes.append(UInt8(ascii: opening))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: closing))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
