import Testing

@testable import Completions

struct ServerSentEventsTests {
    typealias Event = ServerSentEvents.Event

    @Test(arguments: [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        ("data: a\r\rdata: b\r\r", ["a", "b"]),
        ("\u{FEFF}data: a\n\n", ["a"]),
        (": a comment\n:\n\ndata:a\n\n", ["a"]),
        ("data:  two spaces\n\n", [" two spaces"]),
        ("data: one\ndata: two\n\n", ["one\ntwo"]),
        ("id: 7\nretry: 10\nnonsense\ndata: a\n\n", ["a"]),
        ("data\n\n", [""]),
        ("event: x\n\n", []),
        ("data: no empty line at the end", ["no empty line at the end"]),
        ("data: {\"a\":\"b: c\"}\n\n", ["{\"a\":\"b: c\"}"]),
        ("data: ü🎉\n\n", ["ü🎉"]),
        ("", []),
        ("\n\n\r\n", []),
    ])
    func `what a stream says`(stream: String, expected: [String]) {
        #expect(Self.events(stream, cutAt: nil).map(\.data) == expected)
    }

    @Test func `events have names`() {
        #expect(
            Self.events("event: error\ndata: x\n\ndata: y\n\n", cutAt: nil) == [
                Event(name: "error", data: "x"), Event(name: "", data: "y"),
            ])
        #expect(
            Self.events("error: {\"message\":\"m\"}\n\n", cutAt: nil) == [
                Event(name: "error", data: "{\"message\":\"m\"}")
            ])
    }

    @Test func `it does not matter where the bytes are cut`() {
        let stream = "\u{FEFF}: c\r\ndata: é🎉\r\ndata: two\r\n\r\nevent: e\rdata: three\r\rdata: four\n\n"
        let whole = Self.events(stream, cutAt: nil)
        #expect(whole.map(\.data) == ["é🎉\ntwo", "three", "four"])
        for position in 0...stream.utf8.count {
            #expect(Self.events(stream, cutAt: position) == whole, "cut at \(position)")
        }
        var parser = ServerSentEvents()
        var bytewise: [Event] = []
        for byte in stream.utf8 { bytewise += parser.add([byte]) }
        #expect(bytewise + parser.finish() == whole)
    }

    @Test func `bad UTF-8 costs its own characters only`() {
        var parser = ServerSentEvents()
        let events = parser.add(Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8))
        #expect(events.map(\.data) == ["a\u{FFFD}b"])
    }

    private static func events(_ text: String, cutAt position: Int?) -> [Event] {
        let bytes = Array(text.utf8)
        var parser = ServerSentEvents()
        let cut = position ?? bytes.count
        let events = parser.add(Array(bytes[..<cut])) + parser.add(Array(bytes[cut...]))
        return events + parser.finish()
    }
}
