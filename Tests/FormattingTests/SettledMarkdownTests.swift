import Formatting
import Testing

@Suite("What of a text that comes in is settled")
struct SettledMarkdownTests {
    private func settled(_ text: String) -> String {
        var markdown = SettledMarkdown()
        markdown.append(text)
        return markdown.prefix
    }

    @Test(
        "sentences, lines and list items are, as soon as the next begins",
        arguments: [
            ("One. T", "One."), ("One. ", ""), ("One.", ""), ("One! Two? T", "One! Two?"), ("One\n", "One\n"),
            ("e.g. this", ""), ("It costs 3.5 e", ""), ("- one\n- two", "- one\n"), ("- a", ""), ("1. One", ""),
            ("一。二", "一。"), ("A **b** c. D", "A **b** c."), ("# T\nx", "# T\n"), ("```\na\nb", "```\na\n"),
            ("\"So.\" He", "\"So.\""),
        ])
    func settles(text: String, prefix: String) {
        #expect(settled(text) == prefix)
    }

    @Test(
        "what may still come to look otherwise is not",
        arguments: [
            "**One. Two", "`one. Two", "[One. Two", "*One\ntwo", "| a | b |\n", "a | b\n--|--\n1 | 2\n",
            "Fish & chips. T",
            "<b>One. T",
        ])
    func waits(text: String) {
        #expect(settled(text) == "")
    }

    @Test("a table is when it is over, and a mark when it has found its partner")
    func released() {
        #expect(settled("|a|\n|-|\n|1|\n\nx") == "|a|\n|-|\n|1|\n\n")
        #expect(settled("**One. Two** x. Y") == "**One. Two** x.")
    }

    /// Of a text in pieces of four bytes, with what is settled looked at as the bot does.
    private func cost(of unit: String, size: Int) -> Duration {
        let text = String(
            (unit + String(repeating: "\(unit)Then. So ", count: size / (unit.utf8.count + 9))).prefix(size))
        var pieces: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            pieces.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return ContinuousClock().measure {
            var markdown = SettledMarkdown()
            var seen = 0
            for piece in pieces {
                markdown.append(String(piece))
                if markdown.count > seen + seen / 8 {
                    seen = markdown.count
                    _ = markdown.prefix
                }
            }
        }
    }

    @Test(
        "a text that comes in thousands of pieces costs in proportion, whatever marks it has",
        arguments: [
            "[", "*", "**a ", "_", "`", "\\", "<", "&", "[a](b) ", "[a](/b) ", "2*3*4 ", "$", "$a$ ", "\\(", "|", "> ",
            "- ",
            "\n- ", "x\n", "```\n", "```a", ".", ".)", ".   ", "!", "\n\n---\n\n", "# ", "\t", "\n1. ", "\\*", "*a* ",
        ])
    func linear(unit: String) {
        let half = cost(of: unit, size: 8_000)
        let whole = cost(of: unit, size: 16_000)
        #expect(whole < half * 3 + .milliseconds(300))
    }
}
