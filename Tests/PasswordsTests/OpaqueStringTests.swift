import Domain
import Testing

@testable import Passwords

/// RFC 8265 section 4.2.
@Suite struct OpaqueStringTests {
    /// Byte for byte: `==` of strings would take both forms of a letter for one.
    private func isPrepared(_ text: String, as expected: String?) -> Bool {
        guard let prepared = OpaqueString.prepared(text), let expected else {
            return expected == nil && OpaqueString.prepared(text) == nil
        }
        return prepared.utf8.elementsEqual(expected.utf8)
    }

    @Test(arguments: [
        ("correct horse battery staple", "correct horse battery staple"), ("Correct Horse", "Correct Horse"),
        ("\u{3C0}\u{DF}\u{E5}", "\u{3C0}\u{DF}\u{E5}"), ("Jack of \u{2666}s", "Jack of \u{2666}s"),
        ("foo\u{1680}bar", "foo bar"), ("a\u{A0}b\u{3000}c", "a b c"),
        // NFC: composed, in canonical order, and what is equal to another character is that one.
        ("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"),
        ("\u{212B}", "\u{C5}"), ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{2126}", "\u{3A9}"),
        // Neither case nor width.
        ("\u{FF21}\u{FF22}", "\u{FF21}\u{FF22}"), ("\u{FB01}", "\u{FB01}"), ("\u{130}", "\u{130}"),
        ("\u{1F511}", "\u{1F511}"),
    ])
    func `is prepared as the profile says`(text: String, expected: String) {
        #expect(isPrepared(text, as: expected))
        #expect(isPrepared(expected, as: expected))
    }

    @Test(arguments: [
        "", "my cat is a \u{9}by", "a\u{0}b", "a\u{7F}", "a\u{85}b", "soft\u{AD}hyphen", "zero\u{200B}width",
        "\u{FEFF}mark", "left\u{202E}right", "a\u{2028}b", "\u{FFFF}", "\u{E000}",
    ])
    func `is refused where it is empty or cannot be typed again for sure`(text: String) {
        #expect(isPrepared(text, as: nil))
    }

    @Test func `a password opens what it was made for in whichever form it is typed`() async throws {
        let hasher = PasswordHasher(strength: .init(memory: 8192, passes: 1))
        for (one, other) in [("caf\u{E9}-horse", "cafe\u{301}-horse"), ("a\u{A0}b c", "a b\u{2003}c")] {
            for (made, typed) in [(one, other), (other, one)] {
                let hash = try await hasher.hash(Secret(made))
                #expect(try await hasher.verify(Secret(typed), against: hash) == .matches(needsRehash: false))
                #expect(try await hasher.verify(Secret("cafe-horse"), against: hash) == .differs)
            }
        }
        await #expect(throws: PasswordFailure.unsuitable) { try await hasher.hash(Secret("zero\u{200B}width")) }
    }

    @Test func `a hash made of the bytes as they were typed is good, and made anew`() async throws {
        let strength = PasswordHasher.Strength(memory: 8192, passes: 1)
        let hasher = PasswordHasher(strength: strength)
        let decomposed = "cafe\u{301}-horse"
        let old = try Argon2id(strength).hash(decomposed)
        #expect(try await hasher.verify(Secret(decomposed), against: old) == .matches(needsRehash: true))
        #expect(try await hasher.verify(Secret("caf\u{E9}-house"), against: old) == .differs)
        // What cannot be prepared cannot be made anew either, and goes on opening.
        let emoji = "\u{2764}\u{FE0F}-horse"
        let kept = try Argon2id(strength).hash(emoji)
        #expect(try await hasher.verify(Secret(emoji), against: kept) == .matches(needsRehash: false))
    }

    @Test func `what is typed decides what a check costs, not whether there is an account`() async throws {
        let hasher = PasswordHasher(strength: .init(memory: 8192, passes: 1))
        let hash = try await hasher.hash(Secret("correct-horse"))
        for (typed, cost) in [("wrong-horse", 1), ("cafe\u{301}", 2), ("caf\u{E9}", 1), ("\u{200B}", 1)] {
            for known in [hash, nil] {
                let before = await hasher.runs
                #expect(try await hasher.verify(Secret(typed), against: known) == .differs)
                #expect(await hasher.runs - before == cost)
            }
        }
    }
}
