/// Takes off what IRC clients put into text for the eye: bold, colours and their like, and control characters.
///
/// https://modern.ircdocs.horse/formatting
package enum TextFormatting {
    /// The words alone, without spaces or control characters at their ends.
    package static func stripped(_ text: String) -> String { trimmed(words(of: text).utf8[...]) }

    /// Lines as one text with `\n` between them. What a line begins with stays, as pasted code needs it; empty lines at the
    /// ends go.
    package static func joined(_ lines: [String]) -> String {
        let words = lines.map { line in
            let words = Self.words(of: line)
            return String(Substring(words.utf8.dropLast(words.utf8.reversed().prefix { $0 == 0x20 }.count)))
        }
        guard let first = words.firstIndex(where: { !$0.isEmpty }), let last = words.lastIndex(where: { !$0.isEmpty })
        else { return "" }
        return first == last ? stripped(words[first]) : words[first...last].joined(separator: "\n")
    }

    /// The words with the spaces at their ends.
    package static func words(of text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        var words: [UInt8] = []
        words.reserveCapacity(text.utf8.count)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x03: dropColours(from: &rest)
            case 0x04: dropDigits(from: &rest, atMost: 6, where: isHexadecimal)
            case 0x09: words.append(0x20)
            case 0..<0x20, 0x7F: break
            default: words.append(byte)
            }
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// `3`, `03`, `3,12`: a comma belongs to the colour only where a digit follows.
    private static func dropColours(from rest: inout ArraySlice<UInt8>) {
        guard dropDigits(from: &rest, atMost: 2, where: isDecimal) > 0 else { return }
        guard rest.first == UInt8(ascii: ","), let next = rest.dropFirst().first, isDecimal(next) else { return }
        rest.removeFirst()
        dropDigits(from: &rest, atMost: 2, where: isDecimal)
    }

    @discardableResult
    private static func dropDigits(
        from rest: inout ArraySlice<UInt8>, atMost limit: Int, where isDigit: (UInt8) -> Bool
    ) -> Int {
        let digits = rest.prefix(limit).prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.count
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDecimal(byte) || (0x41...0x46).contains(byte & 0xDF)
    }

    package static func trimmed(_ text: Substring.UTF8View) -> String {
        var text = text
        while text.first == 0x20 { text.removeFirst() }
        while text.last == 0x20 { text.removeLast() }
        return String(Substring(text))
    }
}
