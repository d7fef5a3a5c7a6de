import Formatting
import TestKit
import Testing

@Suite("Markdown that is meant to hurt")
struct HostileMarkdownTests {
    /// What makes parsers slow when there is much of it; the first ones did so with the parser used here.
    private static let units = [
        ">", "> ", "- ", "* ", "1. ", "|a", "| a |\n|-|\n", "[| a |\n|-|\n", "<?", "<!A ", "<![CDATA[", "www.a_",
        "a@b.c_", "\n",
        "a\n", "[", "![", "[a](", "![a](b", "]", "](", "*", "_", "**a ", "*a_ ", "*a **b ", "`", "``a`", "~~~\n",
        "```\n", "&",
        "&amp;", "\\", "\\\n", "<", "<a b='", "[a]: b\n", "[a][b]", "- [x] ", "\t- ", "a\n-\n", "# ", "\0", "\r", "漢字",
        "x ", "\\*", "\\_a", "\\[", "\\[a\\](http://b.c) ", "\\(", "\\(a\\)", "$", "$a", "$$", "](a.b", "[a](b.c/",
        "^*", "*/", "a/*", "\\!\\[",
        "\\\\", "\\`", "&lt;", "<br>", ">>>", "**a**/",
    ]

    /// Small enough for the address sanitizer, and larger than any buffer on the way.
    @Test("much of anything harms nothing", arguments: units)
    func much(unit: String) {
        check(Markdown.plainLines(String(repeating: unit, count: 1 << 16 / unit.utf8.count)))
    }

    @Test("half a megabyte of anything takes time in proportion", arguments: units)
    func repeated(unit: String) {
        let text = String(repeating: unit, count: 1 << 19 / unit.utf8.count)
        let duration = ContinuousClock().measure { check(Markdown.plainLines(text)) }
        #expect(duration < .seconds(15))
    }

    @Test("so does a start of one thing and a long rest of another", arguments: [">", "1. ", "|", "[", "\\["])
    func halves(start: String) {
        for rest in [">", "\n", "a\n", ">a\n", "[", "*a*b", "| a |\n|-|\n", "`a", "<", "](b)", "\\](http://b.c)"] {
            let text =
                String(repeating: start, count: 10_000) + "a\n" + String(repeating: rest, count: 20_000)
            let duration = ContinuousClock().measure { check(Markdown.plainLines(text)) }
            #expect(duration < .seconds(30), "\(rest)")
        }
    }

    @Test("a table of thousands of columns and rows takes no memory to speak of")
    func wideTable() {
        let head = String(repeating: "|a", count: 5000) + "|\n" + String(repeating: "|-", count: 5000) + "|\n"
        check(Markdown.plainLines(head + String(repeating: "|a|\n", count: 5000)))
    }

    @Test("ten thousand levels of anything end in lines that can be read")
    func deep() {
        let depth = 10_000
        let lists = (0..<150).map { String(repeating: "  ", count: $0) + "- level \($0)" }.joined(separator: "\n")
        let lines = Markdown.plainLines(lists)
        #expect(lines.count == 150 && lines.allSatisfy { $0.utf8.count < 60 })
        #expect(lines.first == "- level 0" && lines.last?.hasSuffix("- level 149") == true)
        for (open, close) in [(">", ""), ("[", "](b)"), ("![", "](b)"), ("*a ", " b*"), ("**a ", " b**"), ("(", ")")] {
            check(
                Markdown.plainLines(
                    String(repeating: open, count: depth) + "x" + String(repeating: close, count: depth)))
        }
    }

    @Test("whatever is mixed, no word is lost and no line is blank")
    func mixtures() {
        var random = SeededGenerator(seed: 4)
        let markup = [
            "*", "**", "_", "__", "`", "[", "]", "](u)", "![", "<", ">", "> ", "- ", "1. ", "# ", "|", "\n",
            "\n\n", "    ", "  \n",
            "\\", "&amp;", "---\n", "===\n", "]:", ": ", "(", ")", "!", "<b>", "</b>", "<!--", "\t", "é", "🙂",
            "漢", "+ ", "- [ ] ",
        ]
        for _ in 0..<3000 {
            var text = ""
            var words: [String] = []
            for number in 0..<Int.random(in: 1...30, using: &random) {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    text += markup.randomElement(using: &random) ?? ""
                }
                words.append("w\(number)w")
                text += "w\(number)w"
                if Bool.random(using: &random) { text += " " }
            }
            let lines = Markdown.plainLines(text)
            check(lines)
            let joined = lines.joined(separator: "\n")
            for word in words { #expect(joined.contains(word), "\(word) of \(text.debugDescription) in \(lines)") }
        }
    }

    private func check(_ lines: [String]) {
        let isBad = lines.contains { line in
            line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } || line.utf8.contains { $0 == 0x0A || $0 == 0x0D }
                || line.utf8.contains(0xEF) && line.unicodeScalars.contains { $0.value == 0xFDD0 }
        }
        #expect(!isBad)
    }
}
