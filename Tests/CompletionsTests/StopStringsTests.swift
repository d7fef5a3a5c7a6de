import Testing

@testable import Completions

struct StopStringsTests {
    @Test(arguments: [
        (["Hello", " there"], "Hello there", false),
        (["One.\nUser: two"], "One.", true),
        (["One.\nUs", "er: two"], "One.", true),
        (["One.\n", "Us", "ual"], "One.\nUsual", false),
        (["a\nb\n"], "a\nb\n", false),
        (["\n\nUser:"], "\n", true),
    ])
    func `the text ends before a stop string`(pieces: [String], expected: String, isStopped: Bool) {
        var stops = StopStrings(["\nUser:", "</s>"])
        let text = pieces.map { stops.add($0) }.joined() + stops.finish()
        #expect(text == expected)
        #expect(stops.isStopped == isStopped)
    }

    @Test func `nothing is held back that cannot become a stop string`() {
        var stops = StopStrings(["\nUser:"])
        #expect(stops.add("Grüße 🎉") == "Grüße 🎉")
        #expect(stops.add("x\n") == "x")
        #expect(stops.add("y") == "\ny")
    }

    @Test func `the earliest of several counts`() {
        var stops = StopStrings(["END", "\n"])
        #expect(stops.add("a\nb END") == "a")
        #expect(stops.add("more") == "")
    }
}
