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
                #expect(rest.lines.joined(separator: "\n") == String(joined.utf8.dropFirst(place)))
                offset = place
            }
        }
        #expect(offset > 0)
        #expect(whole.rest(from: joined.utf8.count + 1).lines == [])
        #expect(whole.rest(from: 100_000).lines == [])
        #expect(whole.rest(from: 0) == whole)
    }

    @Test func `a place within a character gives all of it`() {
        #expect(Rendition("日本語", isCut: false).rest(from: 4).lines == ["本語"])
        #expect(Rendition("🙂🙂", isCut: false).rest(from: 7).lines == ["🙂"])
    }

    @Test func `at the end of a line the next one follows`() {
        #expect(Rendition("one\ntwo", isCut: false).rest(from: 3).lines == ["two"])
        #expect(Rendition("one\ntwo", isCut: false).rest(from: 4).lines == ["two"])
    }
}
