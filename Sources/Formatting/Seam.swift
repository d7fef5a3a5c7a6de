/// Where `**` stands between punctuation and a letter of a script that writes no spaces, or none there.
///
/// CommonMark wants a space or punctuation on the outer side of marks that have punctuation on the inner one, so that
/// `**注意：**请` and `これは**「重要」**です` keep their marks, and text in Chinese or Japanese is full of them. A mark that the
/// parser takes for punctuation and that is taken out afterwards makes up for it. ASCII letters are left alone: there, it
/// would be mathematics.
enum Seam {
    /// Before the first, or behind the second asterisk.
    case before, behind

    /// U+1BC9F, a full stop of Duployan shorthand, which no plain text contains; text that does loses it.
    static let mark: [UInt8] = [0xF0, 0x9B, 0xB2, 0x9F]

    private enum Side { case space, punctuation, letter, foreignLetter }

    /// For the asterisk at `index`, if it is the one of exactly two at which the mark is missing.
    init?(of line: ArraySlice<UInt8>, at index: Int) {
        let asterisk = UInt8(ascii: "*")
        let before = line[..<index]
        let behind = line[(index + 1)...]
        if before.last == asterisk {
            let text = before.dropLast()
            guard text.last != asterisk, Self.side(behind, isBefore: false) == .foreignLetter else { return nil }
            guard Self.side(text, isBefore: true) == .punctuation else { return nil }
            self = .behind
        } else {
            guard behind.first == asterisk, Self.side(before, isBefore: true) == .foreignLetter else { return nil }
            guard Self.side(behind.dropFirst(), isBefore: false) == .punctuation else { return nil }
            self = .before
        }
    }

    /// What stands next to the asterisks: the end of what is before them, or the start of what is behind.
    private static func side(_ text: ArraySlice<UInt8>, isBefore: Bool) -> Side {
        let near = isBefore ? text.suffix(4) : text.prefix(4)
        let decoded = String(decoding: near, as: UTF8.self).unicodeScalars
        guard let scalar = isBefore ? decoded.last : decoded.first else { return .space }
        if scalar == "*" { return .space }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .control: return .space
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .dashPunctuation,
            .connectorPunctuation, .otherPunctuation:
            return .punctuation
        default: return scalar.isASCII ? .letter : .foreignLetter
        }
    }
}
