/// The words of a text that may be a given password, with the signs that people put around them on and off.
///
/// A password is said as `pw: secret`, `<secret>`, `"secret".`, `alice:secret`, or alone; its own first or last character may
/// be such a sign. Each of these forms is held to what is looked for. Linear in the text: a bounded number of forms a word.
enum PasswordSearch {
    /// Signs taken off either end of a word, one after the other.
    private static let mostSigns = 2
    /// Places within a word behind which a password may begin.
    private static let mostJoints = 2
    /// A longer word is no password: see `PasswordHasher.longestPassword`.
    private static let longest = 512

    /// The forms for which `isHit` says so, each once, at most `most` of them.
    static func words(in text: String, shortest: Int, most: Int, where isHit: (Substring) -> Bool) -> [String] {
        var hits: [String] = []
        for word in Self.words(of: text, shortest) {
            guard word.utf8.count <= longest + 64 else { continue }
            for form in forms(of: word, shortest) where isHit(form) && !hits.contains(String(form)) {
                hits.append(String(form))
                if hits.count == most { return hits }
            }
        }
        return hits
    }

    /// Those that are long enough.
    private static func words(of text: String, _ shortest: Int) -> [Substring] {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split(whereSeparator: \.isWhitespace).filter { $0.utf8.count >= shortest }
        }
        var words: [Substring] = []
        var rest = text[...].utf8
        while let start = rest.firstIndex(where: { !isBlank($0) }) {
            rest = rest[start...]
            let word = rest.prefix { !isBlank($0) }
            if word.count >= shortest { words.append(Substring(word)) }
            rest = rest[word.endIndex...]
        }
        return words
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func forms(of word: Substring, _ shortest: Int) -> [Substring] {
        var forms = trimmed(word, shortest)
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return forms }
        let unquoted = word.drop(while: isQuote)
        let bare = unquoted.prefix(unquoted.count - unquoted.reversed().prefix(while: isQuote).count)
        if bare != word { forms += trimmed(bare, shortest) }
        let plain = TypedLine.plain(word)
        if plain != word { forms += trimmed(plain[...], shortest) }
        return forms
    }

    /// The word, and what of it stands behind a sign that joins, each with fewer and fewer signs at its ends.
    private static func trimmed(_ word: Substring, _ shortest: Int) -> [Substring] {
        guard word.utf8.contains(where: isSign) else { return [word] }
        var forms: [Substring] = []
        let joints = word.utf8.indices.filter { ":=,;/>|".utf8.contains(word.utf8[$0]) }.prefix(mostJoints)
        let starts = [word.startIndex] + joints.map { word.utf8.index(after: $0) }
        for start in starts {
            var head = word[start...]
            for _ in 0...mostSigns {
                var form = head
                for _ in 0...mostSigns {
                    if form.utf8.count >= shortest { forms.append(form) }
                    guard let last = form.utf8.last, isSign(last) else { break }
                    form = Substring(form.utf8.dropLast())
                }
                guard let first = head.utf8.first, isSign(first) else { break }
                head = Substring(head.utf8.dropFirst())
            }
        }
        return forms
    }

    private static func isQuote(_ sign: Character) -> Bool { "“”„‘’‚«»‹›「」".contains(sign) }

    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
