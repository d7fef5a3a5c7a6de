/// JSON as servers send it, which is not always JSON.
///
/// An escape may name half a surrogate pair (`\ud83d` alone), as when a server cuts an emoji between two chunks. That is
/// no text, and the whole of it would be lost over that.
extension JSONValue {
    /// The text behind a byte order mark, with which no JSON should begin and some does (RFC 8259, 8.1).
    static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The same JSON with U+FFFD for every half that stands alone, or nil when there is none.
    static func repaired(_ json: String) -> String? {
        guard json.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        let bytes = Array(json.utf8)
        var result: [UInt8] = []
        var index = 0
        var hasChanged = false
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard let unit = escapedUnit(in: bytes, at: index), (0xD800...0xDFFF).contains(unit) else {
                result += bytes[index..<min(index + 2, bytes.count)]
                index += 2
                continue
            }
            let next = escapedUnit(in: bytes, at: index + 6)
            if unit < 0xDC00, let next, (0xDC00...0xDFFF).contains(next) {
                result += bytes[index..<(index + 12)]
                index += 12
            } else {
                result += Array(#"\ufffd"#.utf8)
                index += 6
                hasChanged = true
            }
        }
        return hasChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    /// The same JSON with a large number for every one that is more than a double holds, or nil when there is none: the
    /// library takes none of the text then, whoever's number it is.
    static func withFiniteNumbers(_ json: String) -> String? {
        let bytes = Array(json.utf8)
        var result: [UInt8] = []
        var index = 0
        var isInString = false
        var hasChanged = false
        while index < bytes.count {
            let number = isInString ? [] : bytes[index...].prefix(while: isNumberByte)
            guard number.isEmpty else {
                let value = Double(String(decoding: number, as: UTF8.self)) ?? 0
                result += value.isInfinite ? Array((value < 0 ? "-1e308" : "1e308").utf8) : Array(number)
                hasChanged = hasChanged || value.isInfinite
                index += number.count
                continue
            }
            if bytes[index] == UInt8(ascii: "\"") { isInString.toggle() }
            let isEscape = bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
            result += bytes[index...(isEscape ? index + 1 : index)]
            index += isEscape ? 2 : 1
        }
        return hasChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    /// The UTF-16 unit of a `\uXXXX` at this place.
    private static func escapedUnit(in bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
}
