import Domain
import Formatting
import Testing

@testable import Dialogue

@Suite struct RenditionTests {
    private let text = "one\n\nzwei und drei\n\n- 日本語\n- 🙂🙂"

    @Test func `what was said and what is left are together the whole, wherever it is cut`() {
        let whole = Rendition(text, isCut: true)
        let joined = whole.lines.joined(separator: "\n")
        #expect(
            whole.lines == [
                "one", "zwei und drei", "- 日本語", "- 🙂🙂", "[The answer ends here: it reached its length limit.]",
            ])
        var offset = 0
        for (line, text) in whole.lines.enumerated() {
            for index in text.indices {
                let byte = text.utf8.distance(from: text.startIndex, to: index)
                let place = whole.offset(line: line, byte: byte)
                let rest = whole.rest(from: place)
                // The spaces at a cut within a line go, as on the wire.
                let left = joined.utf8.dropFirst(place).drop { byte > 0 && $0 == 0x20 }
                #expect(rest.lines.joined(separator: "\n") == String(left))
                offset = place
            }
        }
        #expect(offset > 0)
        #expect(whole.rest(from: joined.utf8.count + 1).lines == [])
        #expect(whole.rest(from: 100_000).lines == [])
        #expect(whole.rest(from: 0) == whole)
    }

    @Test func `a line of code goes on with the spaces it was cut at, and stays code`() {
        let whole = Rendition("So:\n```\nls   -l\n```", isCut: false)
        #expect(whole.codeLines == [1])
        let rest = whole.rest(from: 8)
        #expect(rest.lines == ["   -l"] && rest.codeLines == [0] && rest.start == 8)
        let inline = Rendition("one `two three` four", isCut: false).rest(from: 4).content[0]
        #expect(inline.text == "`two three` four" && inline.code == [1..<10])
    }

    @Test func `what is left of a hundred thousand lines is found at once`() {
        let whole = Rendition(String(repeating: "a\n", count: 100_000), isCut: false)
        let duration = ContinuousClock().measure { #expect(whole.rest(from: 199_998).lines == ["a"]) }
        #expect(duration < .seconds(5), "line by line from the front it takes minutes")
    }

    @Test func `a place within a character gives all of it`() {
        #expect(Rendition("日本語", isCut: false).rest(from: 4).lines == ["本語"])
        #expect(Rendition("🙂🙂", isCut: false).rest(from: 7).lines == ["🙂"])
    }

    @Test func `at the end of a line the next one follows`() {
        #expect(Rendition("one\ntwo", isCut: false).rest(from: 3).lines == ["two"])
        #expect(Rendition("one\ntwo", isCut: false).rest(from: 4).lines == ["two"])
    }

    @Test func `what is left keeps its looks, and places are the same in both formats`() {
        let text = "a **bold word and more** `c d`"
        let formatted = Rendition(text, isCut: false, format: .irc)
        let plain = Rendition(text, isCut: false)
        #expect(formatted.plain == plain.plain)
        #expect(formatted.rest(from: 7).lines == ["\u{2}word and more\u{2} `c d`"])
        for place in 0...plain.plain.utf8.count {
            let left = formatted.rest(from: place).plain.drop { $0 == " " }
            #expect(left == plain.rest(from: place).plain.drop { $0 == " " })
        }
    }

    @Test func `a place in what is left is the same place in the whole, whatever spaces went before it`() {
        for format in AnswerFormat.allCases {
            let whole = Rendition("One.  Two, **three** and four.\nFive.", isCut: false, format: format)
            for cut in [0, 4, 5, 6, 11, 27] {
                let left = whole.rest(from: cut)
                let place = left.offset(line: 0, byte: 2)
                #expect(whole.rest(from: place).plain == String(left.plain.dropFirst(2)))
            }
        }
    }

    @Test func `a script without spaces goes on where it was cut`() {
        let whole = Rendition("短い。\n長い文がここに続く", isCut: false)
        let place = whole.rest(from: 9).offset(line: 0, byte: 6)
        let said = String(decoding: whole.plain.utf8.prefix(place), as: UTF8.self)
        #expect(whole.place(after: said) == place)
        #expect(whole.rest(from: place).lines == ["文がここに続く"])
    }

    @Test func `what was said while it came in is found again, as far as it is there`() {
        let whole = Rendition("One. Two.\nThree.", isCut: false)
        #expect(whole.place(after: "One.") == 4)
        #expect(whole.place(after: "") == 0)
        #expect(whole.place(after: "One. Two.\nTh4") == 10)
        #expect(whole.place(after: "Hm. One.") == 0)
    }
}
