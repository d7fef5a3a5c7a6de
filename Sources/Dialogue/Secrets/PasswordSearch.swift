/// The words of a text that may be a given password, with the signs that people put around them on and off.
///
/// A password is said as `pw: secret`, `<secret>`, `"secret".`, `alice:secret`, or alone; its own first or last character may
/// be such a sign. Each of these forms is held to what is looked for. Linear in the text: a bounded number of forms a word.
enum PasswordSearch {
    /// Signs taken off either end of a word, one after the other.
    private static let maxSigns = 2
    /// Places within a word behind which a password may begin.
    private static let maxJoints = 2
    /// A longer word is no password: see `PasswordHasher.maxPasswordLength`.
    private static let longest = 512

    /// The forms for which `isHit` says so of their UTF-8, each once, at most `most` of them.
    static func words(
        in text: String, shortest: Int, most: Int, where isHit: (ArraySlice<UInt8>) -> Bool
    ) -> [String] {
        var hits: [String] = []
        _ = forms(in: Array(text.utf8)[...], shortest) { form in
            guard isHit(form) else { return true }
            let hit = String(decoding: form, as: UTF8.self)
            if !hits.contains(hit) { hits.append(hit) }
            return hits.count < most
        }
        return hits
    }

    /// Whether any form is one: of the bytes of a text, and for nothing where they are plain words.
    static func isAny(in text: ArraySlice<UInt8>, shortest: Int, where isHit: (ArraySlice<UInt8>) -> Bool) -> Bool {
        !forms(in: text, shortest) { !isHit($0) }
    }

    /// Goes through the forms of all words that are long enough, as long as `body` says so; false where it did not.
    private static func forms(
        in text: ArraySlice<UInt8>, _ shortest: Int, _ body: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        guard isASCII(text) else {
            return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                .allSatisfy { forms(ofScript: $0, shortest, body) }
        }
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex(where: isBlank) ?? text.endIndex
            if (shortest...longest + 64).contains(end - start), !trimmed(text[start..<end], shortest, body) {
                return false
            }
            start = end + 1
        }
        return true
    }

    /// The same of one word, which may have quotes and letters from beyond ASCII.
    private static func forms(
        ofScript word: Substring, _ shortest: Int, _ body: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        let bytes = Array(word.utf8)[...]
        guard (shortest...longest + 64).contains(bytes.count) else { return true }
        guard trimmed(bytes, shortest, body) else { return false }
        guard !isASCII(bytes) else { return true }
        let unquoted = word.drop(while: isQuote)
        let bare = unquoted.prefix(unquoted.count - unquoted.reversed().prefix(while: isQuote).count)
        let plain = TypedLine.plain(word)
        return (bare == word || trimmed(Array(bare.utf8)[...], shortest, body))
            && (plain == word || trimmed(Array(plain.utf8)[...], shortest, body))
    }

    /// The word, and what of it stands behind a sign that joins, each with fewer and fewer signs at its ends.
    private static func trimmed(
        _ word: ArraySlice<UInt8>, _ shortest: Int, _ body: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        guard word.contains(where: isSign) else { return body(word) }
        let joints = word.indices.lazy.filter { isJoint(word[$0]) }.prefix(maxJoints)
        for start in [word.startIndex] + joints.map({ $0 + 1 }) {
            var head = word[start...]
            for _ in 0...maxSigns {
                var form = head
                for _ in 0...maxSigns {
                    if form.count >= shortest, !body(form) { return false }
                    guard let last = form.last, isSign(last) else { break }
                    form = form.dropLast()
                }
                guard let first = head.first, isSign(first) else { break }
                head = head.dropFirst()
            }
        }
        return true
    }

    private static func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.reduce(0, |) < 0x80 }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isQuote(_ sign: Character) -> Bool { "“”„‘’‚«»‹›「」".contains(sign) }

    private static func isJoint(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "/"),
            UInt8(ascii: ">"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
