import Domain
import Network
import Testing

@testable import Completions

struct AnswerReaderTests {
    @Test(arguments: Self.answers)
    func `streams that are answers`(what: String, stream: String, isCut: Bool) {
        #expect(Self.read(stream).verdict == .finished(Completion(text: "a", isCut: isCut)))
    }

    @Test(arguments: Self.failures)
    func `streams that are none`(what: String, stream: String, kind: CompletionFailure.Kind, partial: String) {
        let reader = Self.read(stream)
        guard case .failed(let seen, _) = reader.verdict else {
            Issue.record("\(what): \(String(describing: reader.verdict))")
            return
        }
        #expect(seen == kind)
        #expect(reader.text == partial)
    }

    @Test(arguments: [
        Self.event(#"{"error":{"message":"m"}}"#), Self.event(#"{"error":{"message":"m"}}"#) + Self.done,
        "error: {\"message\":\"m\"}\n\n", "event: error\ndata: {\"message\":\"m\"}\n\n",
        Self.event(#"{"error":{"message":"m"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#),
    ])
    func `an error in the middle of a stream`(tail: String) {
        let reader = Self.read(Self.chunk("a") + tail)
        guard case .error(let error) = reader.verdict else {
            Issue.record("\(String(describing: reader.verdict))")
            return
        }
        #expect(error.message == "m")
        #expect(reader.text == "a")
    }

    @Test func `a break after the finish_reason takes nothing away`() {
        let reader = Self.read(Self.chunk("a") + Self.finish("stop"), end: HTTPFailure(.interrupted, "reset"))
        #expect(reader.verdict == .finished(Completion(text: "a", isCut: false)))
    }

    @Test func `a stream that does not call itself one is still a stream`() {
        #expect(Self.read(": c\n" + Self.chunk("a") + Self.finish("stop"), type: "text/plain").text == "a")
    }

    @Test func `JSON that was asked for as a stream is still JSON`() {
        let json = #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#
        #expect(Self.read("\n\n" + json, type: "application/json").text == "a")
        #expect(Self.read(json, type: "text/event-stream").text == "a")
    }

    @Test(arguments: ["{}", #"{"choices":[]}"#, "<html>", "", "[]", #"{"choices":[{"message":{"content":"a"#])
    func `whole bodies that are no answer`(body: String) {
        guard case .failed(let kind, _) = Self.read(body, type: "application/json").verdict else {
            Issue.record("taken for an answer: \(body)")
            return
        }
        #expect(kind == (body.isEmpty ? .empty : .malformed))
    }

    @Test func `text beyond the limit ends the answer as cut`() {
        var reader = AnswerReader(stops: [])
        reader.receive(status: 200, headers: ["content-type": "text/event-stream"])
        var text = ""
        for _ in 0..<1000 where reader.verdict == nil {
            text += reader.receive(Array(Self.chunk(String(repeating: "ä🎉", count: 50)).utf8))
        }
        #expect(text.utf8.count <= AnswerReader.textLimit && text.utf8.count > AnswerReader.textLimit - 8)
        #expect(reader.verdict == .finished(Completion(text: text, isCut: true)))
    }

    @Test(arguments: ["🇩🇪", "👩\u{200D}👩\u{200D}👧", "e\u{301}", "x"])
    func `an answer of a megabyte is cut from the front, at the end of a character`(unit: String) {
        let content = String(repeating: unit, count: 1 << 20 / unit.utf8.count)
        let body = #"{"choices":[{"message":{"content":"\#(content)"},"finish_reason":"stop"}]}"#
        var reader = AnswerReader(stops: [])
        reader.receive(status: 200, headers: [:])
        let duration = ContinuousClock().measure {
            _ = reader.receive(Array(body.utf8))
            _ = reader.end(nil)
        }
        #expect(content.hasPrefix(reader.text) && AnswerReader.textLimit - reader.text.utf8.count < unit.utf8.count)
        #expect(duration < .seconds(20), "from behind it takes minutes")
    }

    private static let answers: [(String, String, Bool)] = [
        ("[DONE] behind a finish_reason", Self.chunk("a") + Self.finish("stop") + Self.done, false),
        ("a finish_reason and the end", Self.chunk("a") + Self.finish("stop"), false),
        ("an unknown finish_reason", Self.chunk("a") + Self.finish("eos") + Self.done, false),
        ("want of tokens", Self.chunk("a") + Self.finish("length") + Self.done, true),
        (
            "usage behind it, choices empty", Self.chunk("a") + Self.finish("stop") + Self.event(#"{"choices":[]}"#),
            false
        ),
        (
            "usage behind it, choices null", Self.chunk("a") + Self.finish("stop") + Self.event(#"{"choices":null}"#),
            false
        ),
        (
            "comments and a filter's first chunk",
            ": x\n\n" + Self.event(#"{"choices":[]}"#) + Self.chunk("a")
                + Self.finish("stop"), false
        ),
        ("leading white space", Self.chunk(" ") + Self.chunk("\\n a") + Self.finish("stop") + Self.done, false),
    ]

    private static let failures: [(String, String, CompletionFailure.Kind, String)] = [
        ("[DONE] alone", Self.chunk("a") + Self.done, CompletionFailure.Kind.interrupted, "a"),
        ("the end alone", Self.chunk("a"), .interrupted, "a"),
        ("cut JSON", Self.chunk("a") + "data: {\"choi", .interrupted, "a"),
        ("garbage at once", "data: nonsense\n\n", .malformed, ""),
        ("nothing", "", .empty, ""),
        ("comments only", ": a\n\n: b\n\n", .empty, ""),
        ("white space only", Self.chunk(" \\n") + Self.finish("stop") + Self.done, .empty, ""),
        (
            "thoughts only", Self.event(#"{"choices":[{"delta":{"reasoning_content":"x"}}]}"#) + Self.finish("length"),
            .empty, ""
        ),
        ("filtered", Self.chunk("a") + Self.finish("content_filter") + Self.done, .filtered, "a"),
        ("an error as the reason", Self.chunk("a") + Self.finish("error") + Self.done, .interrupted, "a"),
    ]

    private static let done = "data: [DONE]\n\n"

    private static func event(_ json: String) -> String { "data: \(json)\n\n" }
    private static func chunk(_ text: String) -> String { event(#"{"choices":[{"delta":{"content":"\#(text)"}}]}"#) }
    private static func finish(_ reason: String) -> String {
        event(#"{"choices":[{"delta":{},"finish_reason":"\#(reason)"}]}"#)
    }

    private static func read(
        _ body: String, type: String = "text/event-stream; charset=utf-8", end: HTTPFailure? = nil
    ) -> AnswerReader {
        var reader = AnswerReader(stops: [])
        reader.receive(status: 200, headers: ["content-type": type])
        _ = reader.receive(Array(body.utf8))
        _ = reader.end(end)
        return reader
    }
}
