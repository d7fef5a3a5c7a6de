/// What nearly every chunk of a stream, and most whole answers, look like, read where it lies.
///
/// Reads the few members that matter and steps over scalars beside them; nil for whatever else a server may send, errors and
/// counts of tokens among it, and for all that is no JSON: `WireAnswer` reads that by the whole parser. Where it
/// reads, it reads what that one would.
struct UsualChunk {
    private(set) var text = ""
    private(set) var finishReason: String?
    private(set) var hasChoice = false

    /// Members that count once: of two of a name the whole parser has an opinion.
    private struct Seen: OptionSet {
        let rawValue: UInt8
        static let choices = Seen(rawValue: 1)
        static let message = Seen(rawValue: 2)
        static let text = Seen(rawValue: 4)
        static let finishReason = Seen(rawValue: 8)
        static let content = Seen(rawValue: 16)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var seen: Seen = []

    init?(_ json: String) {
        bytes = Array(json.utf8)
        guard readObject({ $0.readMember($1) }) else { return nil }
        skipBlanks()
        guard position == bytes.count else { return nil }
    }

    private mutating func readMember(_ name: Range<Int>) -> Bool {
        if isName(name, "choices") { return note(.choices) && readChoices() }
        if isName(name, "error") || isName(name, "detail") { return false }
        if isName(name, "usage") { return take("null") }
        if isName(name, "object") { return readName().map { !isName($0, "error") } ?? false }
        return skipScalar()
    }

    private mutating func readChoices() -> Bool {
        guard take("[") else { return false }
        if take("]") { return true }
        hasChoice = true
        return readObject({ $0.readChoiceMember($1) }) && take("]")
    }

    private mutating func readChoiceMember(_ name: Range<Int>) -> Bool {
        if isName(name, "delta") || isName(name, "message") {
            guard note(.message) else { return false }
            // What stands in `text` beside it does not count.
            text = ""
            return readObject { $0.readMessageMember($1) }
        }
        if isName(name, "text") {
            guard note(.text) else { return false }
            if take("null") { return true }
            guard let said = readString() else { return false }
            if !seen.contains(.message) { text = said }
            return true
        }
        if isName(name, "finish_reason") {
            guard note(.finishReason) else { return false }
            if take("null") { return true }
            guard let reason = readString() else { return false }
            finishReason = reason.isEmpty ? nil : reason
            return true
        }
        return skipScalar()
    }

    private mutating func readMessageMember(_ name: Range<Int>) -> Bool {
        if isName(name, "content") {
            guard note(.content) else { return false }
            if take("null") { return true }
            guard let said = readString() else { return false }
            text = said
            return true
        }
        return isName(name, "refusal") ? take("null") : skipScalar()
    }

    private mutating func note(_ member: Seen) -> Bool { seen.insert(member).inserted }

    // MARK: JSON, as far as it is plain

    private mutating func readObject(_ readMember: (inout UsualChunk, Range<Int>) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let name = readName(), take(":"), readMember(&self, name) else { return false }
        } while take(",")
        return take("}")
    }

    /// Names with escapes in them are not usual.
    private mutating func readName() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") {
            if bytes[position] == UInt8(ascii: "\"") {
                position += 1
                return start..<position - 1
            }
            position += 1
        }
        return nil
    }

    private func isName(_ range: Range<Int>, _ name: StaticString) -> Bool {
        range.count == name.utf8CodeUnitCount && name.withUTF8Buffer { unsafe $0.elementsEqual(bytes[range]) }
    }

    private mutating func readString() -> String? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] >= 0x20 {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: bytes[start..<position - 1], as: UTF8.self)
            case UInt8(ascii: "\\"): return readEscaped(from: start)
            default: position += 1
            }
        }
        return nil
    }

    /// The same of a string with escapes; half a surrogate pair is left to others.
    private mutating func readEscaped(from start: Int) -> String? {
        var plain = Array(bytes[start..<position])
        while position + 1 < bytes.count, bytes[position] >= 0x20 {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: plain, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            let sign = bytes[position]
            position += 1
            switch sign {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(sign)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "u"):
                guard let scalar = readScalar() else { return nil }
                plain += String(Character(scalar)).utf8
            default: return nil
            }
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        position += 1
        return String(decoding: plain, as: UTF8.self)
    }

    /// The four digits of `\u`.
    private mutating func readScalar() -> Unicode.Scalar? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit < 0x20 ? nil : Unicode.Scalar(unit)
    }

    private mutating func skipScalar() -> Bool {
        skipBlanks()
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            let start = position
            if readName() != nil { return true }
            position = start
            return readString() != nil
        case UInt8(ascii: "n"): return take("null")
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        default: return skipNumber()
        }
    }

    /// Of a size that nobody doubts, and without an exponent.
    private mutating func skipNumber() -> Bool {
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let start = position
        skipDigits()
        let count = position - start
        guard (1...20).contains(count), count == 1 || bytes[start] != UInt8(ascii: "0") else { return false }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let start = position
            skipDigits()
            guard (1...20).contains(position - start) else { return false }
        }
        return position < bytes.count && ![UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position])
    }

    private mutating func skipDigits() {
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    /// Steps over these bytes, with blanks before them, where they come next.
    private mutating func take(_ literal: StaticString) -> Bool {
        skipBlanks()
        let count = literal.utf8CodeUnitCount
        guard bytes.count - position >= count,
            literal.withUTF8Buffer({ unsafe $0.elementsEqual(bytes[position..<position + count]) })
        else { return false }
        position += count
        return true
    }
}
