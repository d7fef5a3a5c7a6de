import TestKit
import Testing

@testable import IRCProtocol

@Suite("The gate on outgoing text")
struct OutgoingGateTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("", ""), ("hi\rQUIT", "hi QUIT"), ("a\nb\u{85}c\u{2028}d\u{2029}e", "a b c d e"),
            ("x\0y", "xy"),
            ("\u{1}DCC SEND x\u{1}", "DCC SEND x"), ("\u{2}bold\u{2} \u{1B}[31mred", "bold [31mred"),
            ("\tcode", "    code"),
            ("a\u{7F}b\u{9B}c", "abc"), ("user\u{202E}gpj.exe\u{202C}", "usergpj.exe"), ("\u{2066}x\u{2069}", "x"),
            ("שלום\u{200F}!", "שלום\u{200F}!"), ("naïve 漢字 👩‍👩‍👧‍👦 🇩🇪 👍🏽", "naïve 漢字 👩‍👩‍👧‍👦 🇩🇪 👍🏽"),
        ])
    func `only text comes through`(text: String, cleaned: String) {
        #expect(Array(OutgoingGate.clean(text).utf8) == Array(cleaned.utf8))
    }

    @Test("what is drawn over other lines loses its marks, what scripts need keeps them")
    func marks() {
        let zalgo = "h" + String(repeating: "\u{315}", count: 50) + "i"
        #expect(OutgoingGate.clean(zalgo) == "h" + String(repeating: "\u{315}", count: 8) + "i")
        for word in ["Việt Nam", "ཧཱུྃ", "क्षत्रिय", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏻‍❤️‍💋‍👨🏻", "نَصٌّ"] { #expect(OutgoingGate.clean(word) == word) }
    }

    @Test("a control between marks does not let more of them through")
    func splitMarks() {
        let marks = String(repeating: "\u{315}", count: 8)
        #expect(OutgoingGate.clean("h\(marks)\u{1}\(marks)") == "h\(marks)")
    }

    @Test("a character without end is cut, and does not grow into the next one")
    func endless() {
        let chain = String(repeating: "👩\u{200D}", count: 500)
        for text in [
            chain, chain + "👩" + chain + "👩", String(repeating: "\u{1100}", count: 500),
            "a" + String(repeating: "\u{200D}", count: 500),
        ] {
            let cleaned = OutgoingGate.clean(text)
            #expect(cleaned.allSatisfy { $0.utf8.count <= OutgoingGate.maxCharacterSize + 3 })
            #expect(cleaned.contains("\u{FFFD}"))
        }
    }

    @Test("the socket takes a whole line, and nothing that is two, none or too long")
    func lines() {
        #expect(OutgoingGate.isSafeLine(Array("PRIVMSG #c :hi".utf8)))
        for text in ["", "a\rb", "a\nb", "a\0b", "a\r\n"] { #expect(!OutgoingGate.isSafeLine(Array(text.utf8))) }
        #expect(OutgoingGate.isSafeLine(Array(repeating: 0x61, count: 510)))
        #expect(!OutgoingGate.isSafeLine(Array(repeating: 0x61, count: 511)))
        #expect(OutgoingGate.isSafeLine(Array(repeating: 0x61, count: 511), lineLength: 1024))
    }

    @Test("whatever comes: no control is left, characters are bounded, and the gate has nothing more to do")
    func properties() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<4000 {
            let text = RandomText.make(upTo: 200, using: &random)
            let cleaned = OutgoingGate.clean(text)
            #expect(!cleaned.unicodeScalars.contains { Self.isForbidden($0.value) }, "\(Array(text.unicodeScalars))")
            #expect(cleaned.allSatisfy { $0.utf8.count <= 100 }, "\(Array(text.unicodeScalars))")
            #expect(Array(OutgoingGate.clean(cleaned).utf8) == Array(cleaned.utf8), "\(Array(text.unicodeScalars))")
        }
    }

    private static func isForbidden(_ value: UInt32) -> Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
