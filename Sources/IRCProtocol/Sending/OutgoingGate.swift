/// The one gate on text that leaves for a network: nothing behind it can end a line, speak CTCP, colour or reorder text.
///
/// Models, accounts and error texts are written by strangers; what they wrote becomes a parameter of a line and must not
/// become anything else.
package enum OutgoingGate {
    /// Combining marks one character may carry. No script needs more than a few; more is drawn over the lines around it.
    package static let maxMarks = 8
    /// Bytes one character may take. The largest emoji sequences take about 40; a character must fit into a line.
    package static let maxCharacterSize = 64

    /// The text without what is not text.
    ///
    /// Line ends of every kind (also U+0085, U+2028, U+2029) become a space: who wants lines has cut before. A tab becomes
    /// four. All other C0 and C1 controls and DEL go, CTCP's 0x01 and the codes for colours among them, and so do the bidi
    /// embeddings, overrides and isolates (U+202A–202E, U+2066–2069), which act on text they do not stand in. The marks
    /// U+200E, U+200F and U+061C stay: right-to-left text needs them, and they act on their neighbours only.
    ///
    /// With `isFormatted`, the few codes of `FormattingCode` pass: the line is the renderer's, who let no other code in.
    package static func clean(_ text: String, isFormatted: Bool = false) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7E: cleaned.append(scalar)
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029: cleaned.append(" ")
            case 0x09: cleaned.append(contentsOf: "    ".unicodeScalars)
            case 0x02 where isFormatted, 0x1D where isFormatted: cleaned.append(scalar)
            case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: break
            default: cleaned.append(scalar)
            }
        }
        return bounded(String(cleaned))
    }

    /// Whether these bytes, a whole line without its end, may be written: none of CR, LF and NUL, not empty, and no longer
    /// than the server takes, which is 512 with the line end unless it says more (RFC 2812 section 2.3).
    package static func isSafeLine(_ line: [UInt8], lineLength: Int = 512) -> Bool {
        guard !line.isEmpty, line.count <= lineLength - 2 else { return false }
        return !line.contains { $0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    }

    private static func bounded(_ text: String) -> String {
        guard text.contains(where: { $0.utf8.count > 2 * maxMarks }) else { return text }
        var result = String.UnicodeScalarView()
        for character in text {
            let isShort = character.utf8.count <= 2 * maxMarks
            result.append(contentsOf: isShort ? character.unicodeScalars : cut(character))
        }
        return String(result)
    }

    /// What of a character stands before its first mark too many, or U+FFFD behind what is long enough. Either way it must
    /// not grow into the next character, which a joiner at the end, or a half syllable, would.
    private static func cut(_ character: Character) -> String.UnicodeScalarView {
        var kept = String.UnicodeScalarView()
        var marks = 0
        var size = 0
        for scalar in character.unicodeScalars {
            if isMark(scalar) { marks += 1 }
            guard marks <= maxMarks else {
                while kept.last == "\u{200D}" { kept.removeLast() }
                break
            }
            size += UTF8.width(scalar)
            guard size <= maxCharacterSize else {
                kept.append("\u{FFFD}")
                break
            }
            kept.append(scalar)
        }
        return kept
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }
}
