/// Letters as people see them, for finding a command in what was typed with whatever keyboard.
extension Unicode.Scalar {
    /// The capital ASCII letter, or digit, that this one is in another form or looks like: `l`, `ｌ`, `ĺ`, `𝐥`, Cyrillic `о`.
    /// Nil for all other letters and signs.
    var plainLetter: UInt8? {
        switch value {
        case 0x30...0x39, 0x41...0x5A: UInt8(truncatingIfNeeded: value)
        case 0x61...0x7A: UInt8(truncatingIfNeeded: value - 0x20)
        case ..<0xC0: nil
        // Full-width forms.
        case 0xFF10...0xFF19: UInt8(truncatingIfNeeded: value - 0xFF10 + 0x30)
        case 0xFF21...0xFF3A: UInt8(truncatingIfNeeded: value - 0xFF21 + 0x41)
        case 0xFF41...0xFF5A: UInt8(truncatingIfNeeded: value - 0xFF41 + 0x41)
        // Letters in circles, and those of mathematics, thirteen alphabets of twice 26.
        case 0x24B6...0x24E9: UInt8(truncatingIfNeeded: (value - 0x24B6) % 26 + 0x41)
        case 0x1D400...0x1D6A3: UInt8(truncatingIfNeeded: (value - 0x1D400) % 26 + 0x41)
        case 0x1D7CE...0x1D7FF: UInt8(truncatingIfNeeded: (value - 0x1D7CE) % 10 + 0x30)
        case 0xC0...0x17F, 0x370...0x45F: Self.lookalikes[self]
        default: nil
        }
    }

    private static let lookalikes: [Unicode.Scalar: UInt8] = {
        let groups: [(Unicode.Scalar, String)] = [
            ("A", "ÀÁÂÃÄÅàáâãäåĀāĂăĄąАаΑα"), ("B", "ВвΒ"), ("C", "ÇçĆćĈĉĊċČčСс"), ("D", "ĎďĐđ"),
            ("E", "ÈÉÊËèéêëĒēĔĕĖėĘęĚěЕеЁёΕ"), ("G", "ĜĝĞğĠġĢģ"), ("H", "ĤĥĦħНнΗ"), ("I", "ÌÍÎÏìíîïĨĩĪīĬĭĮįİıІіЇїΙι"),
            ("J", "ĴĵЈј"), ("K", "ĶķКкΚκ"), ("L", "ĹĺĻļĽľĿŀŁł"), ("M", "МмΜ"), ("N", "ÑñŃńŅņŇňŊŋΝ"),
            ("O", "ÒÓÔÕÖØòóôõöøŌōŎŏŐőОоΟο"), ("P", "РрΡρ"), ("R", "ŔŕŖŗŘř"), ("S", "ŚśŜŝŞşŠšſЅѕ"),
            ("T", "ŢţŤťŦŧТтΤτ"), ("U", "ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲų"), ("W", "Ŵŵ"), ("X", "ХхΧχ"), ("Y", "ÝýÿŶŷŸУуΥ"),
            ("Z", "ŹźŻżŽžΖ"),
        ]
        let pairs = groups.flatMap { letter, all in all.unicodeScalars.map { ($0, UInt8(letter.value)) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// Zero-width, soft hyphen, bidi controls, variation selectors and the like: there, and not to be seen.
    var isInvisible: Bool {
        switch value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x36F, 0x370...0x482, 0x48A...0x58F, 0x2010...0x2027, 0x2030...0x205E,
            0x20A0...0x20C0, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0x1F300...0x1F3FA, 0x1F400...0x1FAFF:
            false
        default: properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
        }
    }

    /// Nothing of a word: invisible, or a mark that a dead key left over the letter before it.
    var isPassedOver: Bool { !isASCII && ((0x300...0x36F).contains(value) || isInvisible) }
}

extension StringProtocol {
    /// Whether there is anything to be seen.
    var isVisible: Bool { unicodeScalars.contains { !$0.isInvisible && !$0.properties.isWhitespace } }
}
