extension String {
    /// The text on one line and harmless to a terminal: a space for each control character (C0 and C1), each end of a line,
    /// and each mark that turns the direction of what follows.
    ///
    /// Whatever a stranger may have chosen goes through here before an operator sees it: names, addresses, errors.
    public var cleaned: String { cleaned(upTo: .max) }

    /// The same, of at most so many scalars.
    func cleaned(upTo most: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(most) { cleaned.append(Self.isHarmless(scalar) ? scalar : " ") }
        return String(cleaned)
    }

    /// The same, with the ends of its lines left as they are.
    public var cleanedLines: String {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).cleaned }
            .joined(separator: "\n")
    }

    /// Bidirectional controls: <https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters>
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: scalar.properties.generalCategory != .control
        }
    }
}
