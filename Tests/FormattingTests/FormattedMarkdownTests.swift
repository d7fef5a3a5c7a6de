import Domain
import Formatting
import Testing

@Suite("Markdown with formatting codes")
struct FormattedMarkdownTests {
    /// Codes as people can read them.
    private func shown(_ markdown: String) -> [String] {
        Markdown.formattedLines(markdown).map {
            $0.replacing("\u{2}", with: "[b]").replacing("\u{1D}", with: "[i]")
        }
    }

    @Test(
        "headings and strong words are bold, emphasis is italic, code is left alone",
        arguments: [
            ("# Title", ["[b]Title[b]"]), ("a **b** *c* `d`", ["a [b]b[b] [i]c[i] d"]),
            ("***both***", ["[i][b]both[b][i]"]), ("**one\ntwo**", ["[b]one[b]", "[b]two[b]"]),
            ("# **Bold** title", ["[b]Bold title[b]"]), ("**a *b* c**", ["[b]a [i]b[i] c[b]"]),
            ("```\nx = 1\n```", ["  x = 1"]), ("- **A**: b", ["- [b]A[b]: b"]),
            ("2*3*4 and x**2", ["2*3*4 and x**2"]), ("|**a**|b|\n|-|-|\n|1|2|", ["[b]a[b] | b", "1 | 2"]),
            ("[**x**](http://y.org)", ["[b]x[b] (http://y.org)"]), ("> *q*", ["> [i]q[i]"]), ("#", ["#"]),
        ])
    func codes(markdown: String, lines: [String]) {
        #expect(shown(markdown) == lines)
    }

    @Test(
        "no code of the model's own comes through, however it is written",
        arguments: [
            "\u{2}x\u{2}", "&#2;x&#x11;", "`\u{1D}x`", "```\n\u{2}x\n```", "[x\u{3}4](http://y.org/\u{1})",
            "\u{F}x\u{1F}",
        ])
    func stripped(markdown: String) {
        for line in Markdown.formattedLines(markdown) + Markdown.plainLines(markdown) {
            let text = FormattingCode.stripped(line)
            #expect(text.contains("x") && text.utf8.allSatisfy { $0 >= 0x20 })
            #expect(FormattingCode.open(after: line.utf8).isEmpty)
            #expect(line.utf8.count - text.utf8.count <= 2)
        }
    }
}
