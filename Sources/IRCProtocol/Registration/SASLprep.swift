/// Brings account names and passwords to the one spelling that SCRAM computes with: SASLprep (RFC 4013).
///
/// RFC 5802 section 2.2 leaves a client the choice to implement SASLprep or to take ASCII alone. This takes ASCII, and
/// beyond it the characters that are their own NFKC form wherever they stand, which needs no tables: the letters of most
/// living alphabets, as keyboards give them. Whatever would have to be normalised, or needs the rules for both
/// directions of writing, is refused; the same password then goes by PLAIN, which sends it as it is.
package enum SASLprep {
    /// The prepared text; nil where it holds what SCRAM cannot, or nothing.
    package static func prepared(_ text: String) -> String? {
        var prepared = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7E: prepared.append(scalar)
            case 0x00AD: break  // the soft hyphen is mapped to nothing
            case _ where scalar.properties.generalCategory == .spaceSeparator: prepared.append(" ")
            case _ where isInert(scalar): prepared.append(scalar)
            default: return nil
            }
        }
        return prepared.isEmpty ? nil : String(prepared)
    }

    /// Whether NFKC leaves the character alone whatever stands around it, and SASLprep permits it.
    private static func isInert(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        // What stringprep's Unicode 3.2 does not know is prohibited (RFC 3454 section 7).
        guard let age = properties.age, (age.major, age.minor) <= (3, 2) else { return false }
        switch properties.generalCategory {
        // Marks join the character before them; the others are prohibited.
        case .nonspacingMark, .spacingMark, .enclosingMark, .control, .format, .surrogate, .privateUse, .unassigned,
            .lineSeparator, .paragraphSeparator:
            return false
        default: break
        }
        guard !isJoiningJamo(scalar), !isRightToLeft(scalar), !isSpecial(scalar) else { return false }
        return isStable(scalar)
    }

    /// Unicode tells of each character whether NFKC together with case folding changes it. Where it does, that is for
    /// its case alone if the small letter does not change and has this one as its capital: not the Kelvin sign. German
    /// sharp s and final sigma have capitals of other letters, and are folded to those.
    private static func isStable(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.changesWhenNFKCCaseFolded, scalar != "ß", scalar != "ς" else { return true }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        guard small.count == 1, let letter = small.first, letter != scalar else { return false }
        return !letter.properties.changesWhenNFKCCaseFolded
            && letter.properties.uppercaseMapping.unicodeScalars.elementsEqual([scalar])
    }

    /// Vowels and finals of old Hangul, which join the syllable before them.
    private static func isJoiningJamo(_ scalar: Unicode.Scalar) -> Bool { (0x1160...0x11FF).contains(scalar.value) }

    /// Hebrew, Arabic, Syriac, Thaana and their forms: RFC 3454 section 6 has rules for them.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        [0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF].contains { $0.contains(scalar.value) }
    }

    /// Prohibited without a category that says so: RFC 3454 tables C.6 and C.7.
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        (0xFFF9...0xFFFD).contains(scalar.value) || (0x2FF0...0x2FFB).contains(scalar.value)
    }
}
