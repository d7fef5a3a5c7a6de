import Testing

@testable import IRCProtocol

@Suite("SASLprep")
struct SASLprepTests {
    @Test(
        "leaves alone what is its own normal form, and maps what RFC 4013 maps",
        arguments: [
            ("user", "user"), ("USER", "USER"), ("I\u{AD}X", "IX"), ("a b~!", "a b~!"), ("a\u{A0}b\u{3000}c", "a b c"),
            ("grüße", "grüße"), ("ÄÖÜẞ".replacing("ẞ", with: "ß"), "ÄÖÜß"), ("Пароль Йод", "Пароль Йод"),
            ("Κωδικός", "Κωδικός"), ("密碼パスワードが", "密碼パスワードが"), ("암호", "암호"), ("Łódź Đặng", "Łódź Đặng"),
        ])
    func prepared(text: String, prepared: String) {
        let result = SASLprep.prepared(text)
        #expect(result.map { Array($0.utf8) } == Array(prepared.utf8))
    }

    @Test(
        "refuses what is prohibited, what it would have to normalise, and both directions of writing",
        arguments: [
            "", "\u{AD}", "\u{7}", "a\u{7F}", "\u{85}", "\u{200E}", "\u{2028}", "\u{E000}", "\u{FFFD}", "\u{E0041}",
            "\u{FFF9}", "\u{AA}", "\u{2168}", "e\u{301}", "\u{212A}", "\u{212B}", "\u{2126}", "ﬁ", "Ａ", "ｶ", "½", "²",
            "\u{1100}\u{1161}", "שלום", "\u{627}1", "🙂", "ẞ", "\u{FEFF}", "\u{2FF0}", "ก\u{E33}", "अ\u{93C}",
        ])
    func refused(text: String) {
        #expect(SASLprep.prepared(text) == nil)
    }
}
