import Testing

@testable import Completions

struct WireAnswerTests {
    @Test(arguments: [
        (#"{"choices":[{"delta":{"content":"a"}}]}"#, "a"),
        (#"{"choices":[{"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]}"#, "a"),
        (#"{"choices":[{"text":"a","index":0}]}"#, "a"),
        (#"{"choices":[{"delta":{"content":null,"reasoning_content":"thinking"}}]}"#, ""),
        (#"{"choices":[{"delta":{"reasoning":"thinking","content":"a"}}]}"#, "a"),
        (
            #"{"choices":[{"delta":{"content":[{"type":"thinking","text":"t"},{"type":"text","text":"a"},"b",7]}}]}"#,
            "ab"
        ),
        (#"{"choices":[{"message":{"content":null,"refusal":"I cannot."}}]}"#, "I cannot."),
        (#"{"choices":[{"delta":{}}]}"#, ""),
        (#"{"choices":[{"delta":null}]}"#, ""),
        (#"{"choices":[7]}"#, ""),
        (#"{"choices":[]}"#, ""),
        (#"{"choices":null}"#, ""),
        (#"{"choices":"x","usage":7}"#, ""),
        (#"{}"#, ""),
        (#"[]"#, ""),
        (#"true"#, ""),
        (#"{"choices":[{"delta":{"content":"a\ud83dz\udc4d\ud83c\udf89"}}]}"#, "a\u{FFFD}z\u{FFFD}🎉"),
        (#"{"choices":[{"delta":{"content":"\\ud83d"}}]}"#, #"\ud83d"#),
    ])
    func `the text, however it is wrapped`(json: String, text: String) throws {
        let answer = try #require(LenientJSON.decode(WireAnswer.self, from: json))
        #expect(answer.text == text)
        #expect(answer.error == nil)
    }

    @Test(arguments: ["", "<html>", "{", #"{"choices":[{"delta":{"content":"a"#, "nonsense"])
    func `what is no JSON is no answer`(text: String) {
        #expect(LenientJSON.decode(WireAnswer.self, from: text) == nil)
    }

    @Test(arguments: [
        #"{"error":{"message":"m"}}"#, #"{"error":"m"}"#, #"{"error":{},"choices":[]}"#, #"[{"error":{}}]"#,
        #"{"object":"error","message":"m"}"#, #"{"detail":"m"}"#,
    ])
    func `an error is seen`(json: String) { #expect(LenientJSON.decode(WireAnswer.self, from: json)?.error != nil) }

    @Test func `an error that is null is none`() {
        #expect(LenientJSON.decode(WireAnswer.self, from: #"{"error":null,"choices":[{"text":"a"}]}"#)?.error == nil)
    }
}
