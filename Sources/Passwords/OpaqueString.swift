@_spi(_Unicode) import Swift

/// The one form in which a password is hashed, however it was typed: the OpaqueString profile of RFC 8265 section 4.2.
///
/// Keyboards and clients disagree on how they send one and the same letter: `é` as one character or as `e` and an accent
/// (Unicode's NFC and NFD). Every space becomes U+0020, the rest its NFC form; nothing is done to case or width.
///
/// The standard library normalises for its own comparisons and lends that under a name that is not public yet; a toolchain
/// that took it away would not compile this.
enum OpaqueString {
    /// Nil where the text is empty or has a character that cannot be part of a password: controls, and what nobody sees or
    /// no version of Unicode knows (RFC 8264 section 9.11).
    static func prepared(_ text: String) -> String? {
        // What nearly everybody types is as it has to be.
        if !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .spaceSeparator {
                mapped.append(" ")
            } else if isAllowed(scalar) {
                mapped.append(scalar)
            } else {
                return nil
            }
        }
        guard !mapped.isEmpty else { return nil }
        // Whether anything would change is told without a copy for what nearly everybody types.
        guard mapped.contains(where: { !$0.isASCII }) else { return String(mapped) }
        var normal = String.UnicodeScalarView()
        normal.append(contentsOf: String(mapped)._nfc)
        return String(normal)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .unassigned, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
