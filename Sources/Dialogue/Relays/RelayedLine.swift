import Domain

/// A line that a relay carries from another network, with the name of whoever said it there before it.
///
/// The forms are those that bridges have by default or in their manuals: `<bob> hi`, `[discord] <bob> hi`, `(bob) hi`,
/// `<bob/irc> hi`, `**bob**: hi`. A name with nothing around it (`bob: hi`) is one only from somebody who is known to be a
/// relay: everybody else talks to bob so. Names have signs in them that nobody sees, so that they ring for nobody.
struct RelayedLine: Sendable, Equatable {
    /// Without what nobody sees, and without the network behind a `/`.
    let name: String
    let text: Substring

    /// Where a name must have ended, in characters.
    private static let maxOpeningLength = 64

    init?(_ line: String, isRelay: Bool) {
        // A first look: most lines begin with a letter, and no name stands before them.
        if !isRelay, let first = line.utf8.first, first < 0x80, first > 0x20, !"<([*`".utf8.contains(first) {
            return nil
        }
        var rest = line.drop { $0.isWhitespace || !$0.unicodeScalars.contains { !$0.isInvisible } }
        if let tagged = Self.afterTag(rest) { rest = tagged }
        let found =
            Self.enclosed(rest, "<", ">") ?? Self.enclosed(rest, "(", ")") ?? Self.enclosed(rest, "**", "**")
            ?? Self.enclosed(rest, "`", "`") ?? (isRelay ? Self.enclosed(rest, "[", "]") ?? Self.bare(rest) : nil)
        guard let (opening, text) = found, let name = Self.name(opening) else { return nil }
        self.name = name
        self.text = text
    }

    /// What follows `[discord] ` where a name in signs follows.
    private static func afterTag(_ line: Substring) -> Substring? {
        guard let (_, rest) = enclosed(line, "[", "]"), let sign = rest.first, "<(*`".contains(sign) else { return nil }
        return rest
    }

    /// The name between two signs, and what follows with a space or a colon before it.
    private static func enclosed(
        _ line: Substring, _ open: String, _ close: String
    ) -> (name: Substring, text: Substring)? {
        guard line.hasPrefix(open) else { return nil }
        let opening = line.dropFirst(open.count).prefix(maxOpeningLength)
        guard let end = opening.firstRange(of: close) else { return nil }
        return text(line[end.upperBound...], isColonNeeded: open == "`").map { (opening[..<end.lowerBound], $0) }
    }

    private static func bare(_ line: Substring) -> (name: Substring, text: Substring)? {
        let opening = line.prefix(maxOpeningLength)
        guard let end = opening.firstIndex(where: { $0 == ":" || $0 == ">" }), end > opening.startIndex else {
            return nil
        }
        return text(line[end...], isColonNeeded: line[end] == ":").map { (opening[..<end], $0) }
    }

    private static func text(_ rest: Substring, isColonNeeded: Bool) -> Substring? {
        var rest = rest
        if let sign = rest.first, sign == ":" || sign == ">" { rest.removeFirst() } else if isColonNeeded { return nil }
        guard rest.first == " " else { return nil }
        rest = rest.drop { $0 == " " }
        return rest.isEmpty ? nil : rest
    }

    private static func name(_ opening: Substring) -> String? {
        let visible = String(String.UnicodeScalarView(opening.unicodeScalars.filter { !$0.isInvisible }))
        let name = visible.split(separator: "/").first.map(String.init) ?? ""
        let words = name.split(whereSeparator: \.isWhitespace)
        let trimmed = words.joined(separator: " ").drop { "@+%&~*".contains($0) }
        return (1...40).contains(trimmed.count) ? String(trimmed) : nil
    }
}
