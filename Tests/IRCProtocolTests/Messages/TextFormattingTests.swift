import Testing

@testable import IRCProtocol

@Suite("Formatting codes of what people say")
struct TextFormattingTests {
    @Test(
        "are taken off",
        arguments: [
            ("plain", "plain"), ("  spaced  ", "spaced"), ("\u{2}bold\u{2} \u{1D}it\u{1D}", "bold it"),
            ("\u{3}4red\u{3} \u{3}04,12both\u{3}", "red both"), ("\u{3}4,x", ",x"), ("\u{3}123", "3"),
            ("\u{3},5", ",5"), ("\u{4}FF00ffhex\u{4}", "hex"), ("a\tb", "a b"), ("\u{F}\u{16}\u{1F}", ""),
            ("\u{1}x\u{7F}\u{1B}[2J", "x[2J"), ("grüße 🙂", "grüße 🙂"), ("", ""),
        ])
    func stripped(text: String, words: String) { #expect(TextFormatting.stripped(text) == words) }

    @Test(
        "are taken off each of several lines, which keep what they begin with",
        arguments: [
            (["def f():", "\treturn 1  ", "", "    # \u{2}bold\u{2}"], "def f():\n return 1\n\n    # bold"),
            (["", " \u{2}", "only this ", "\u{1}"], "only this"), (["  a", "b"], "  a\nb"), (["", "\u{3}"], ""),
            ([], ""),
        ])
    func joined(lines: [String], text: String) { #expect(TextFormatting.joined(lines) == text) }
}
