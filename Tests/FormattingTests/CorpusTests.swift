import Domain
import FoundationEssentials
import TestKit
import Testing

@testable import Formatting

/// Answers of the kinds models write, and the lines a person would want of them.
///
/// A file of `Corpus` holds cases: after `@@@@@` the Markdown (␍ stands for a carriage return), after `@@@@>` its plain lines.
@Suite struct CorpusTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let markdown: String
        let lines: [String]

        var testDescription: String { String(markdown.prefix(60)) }
    }

    private static let topics = [
        "code", "maths", "lists", "tables", "links", "emphasis", "headings", "quotes", "html", "cjk", "rtl", "emoji",
        "short",
    ]

    static func cases(_ topic: String) -> [Case] {
        let folder = Places.products + "/confab_FormattingTests.resources/Corpus/"
        let bytes = FileManager.default.contents(atPath: folder + topic + ".txt") ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "@@@@@\n").map { text in
            let halves = text.split(separator: "\n@@@@>\n", omittingEmptySubsequences: false)
            return Case(
                markdown: String(halves[0]).replacing("␍", with: "\r"),
                lines: halves[1].split(separator: "\n").map(String.init))
        }
    }

    static let all = topics.flatMap(cases)

    @Test func `there are at least two hundred, of every topic`() {
        #expect(Self.all.count >= 200)
        #expect(Self.topics.allSatisfy { Self.cases($0).count >= 9 })
    }

    @Test(arguments: all) func `each is rendered as a person would want`(answer: Case) {
        #expect(Markdown.plainLines(answer.markdown) == answer.lines)
    }

    @Test(arguments: all) func `with formatting it reads the same, and each line closes what it opens`(answer: Case) {
        let lines = Markdown.formattedLines(answer.markdown)
        #expect(lines.map(FormattingCode.stripped) == answer.lines)
        #expect(lines.allSatisfy { FormattingCode.open(after: $0.utf8).isEmpty })
    }

    /// Letter by letter: what is settled is the beginning of the whole, and never less than before.
    @Test(arguments: all + [Case(markdown: all.prefix(40).map(\.markdown).joined(separator: "\n\n"), lines: [])])
    func `as it comes in, what is settled stays`(answer: Case) {
        let whole = Markdown.plainLines(answer.markdown).joined(separator: "\n")
        var settled = SettledMarkdown()
        var last = ""
        for scalar in answer.markdown.unicodeScalars {
            settled.append(String(scalar))
            guard ".!?\n 。".unicodeScalars.contains(scalar) else { continue }
            let prefix = settled.prefix
            guard prefix != last else { continue }
            #expect(prefix.utf8.starts(with: last.utf8))
            last = prefix
            let lines = Markdown.plainLines(prefix).joined(separator: "\n")
            #expect(whole.utf8.starts(with: lines.utf8), "settled: \(prefix)")
        }
    }

    @Test(arguments: ["x", "word ", "漢", "🙂", "e\u{301}", "**b** ", "`c` ", "Sentence. "])
    func `a megabyte on one line takes time in proportion`(unit: String) {
        let text = String(repeating: unit, count: 1 << 20 / unit.utf8.count)
        let duration = ContinuousClock().measure {
            _ = Markdown.formattedLines(text)
            var settled = SettledMarkdown()
            settled.append(text)
            _ = settled.prefix
        }
        #expect(duration < .seconds(20), "quadratic would be minutes")
    }
}
