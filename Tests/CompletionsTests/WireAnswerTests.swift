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
        (#"{"choices":[{"delta":{"content":"a\u0000b"}}]}"#, "a\0b"),
        ("\u{FEFF}" + #" {"choices":[{"text":"a"}]}"#, "a"),
        (#"{"choices":[{"text":"a","seed":18446744073709551615,"logprob":-9.5e-300}],"created":1.7e9}"#, "a"),
    ])
    func `the text, however it is wrapped`(json: String, text: String) throws {
        let answer = try #require(WireAnswer(json))
        #expect(answer.text == text)
        #expect(answer.error == nil)
    }

    private static let most = 1 << 53
    private static let usages: [(json: String, prompt: Int?, completion: Int?)] = [
        (#"{"usage":{"prompt_tokens":7,"completion_tokens":3}}"#, 7, 3),
        (#"{"usage":{"prompt_tokens":7.0,"completion_tokens":"3"}}"#, 7, 3),
        (#"{"usage":{"prompt_tokens":null,"completion_tokens":1e30}}"#, nil, most),
        (#"{"usage":{"prompt_tokens":9e18,"completion_tokens":9223372036854775807}}"#, most, most),
        (#"{"usage":{"prompt_tokens":1e999,"completion_tokens":-1e999}}"#, most, 0),
        (#"{"usage":{"prompt_tokens":-7,"completion_tokens":12.9}}"#, 0, 12),
        (#"{"usage":{"prompt_tokens":"-9e18","completion_tokens":"99999999999999999999999"}}"#, 0, most),
        (#"{"usage":{"prompt_tokens":"many","completion_tokens":true}}"#, nil, nil),
        (#"{"usage":{"prompt_tokens":"nan","completion_tokens":[1]}}"#, nil, nil),
        (#"{"id":"1e999\"","usage":{"prompt_tokens":1e400}}"#, most, nil),
        (longest, most, nil),
        (#"{"usage":[7]}"#, nil, nil),
    ]
    private static let longest = #"{"usage":{"prompt_tokens":1"# + String(repeating: "0", count: 5000) + "}}"

    @Test(arguments: usages)
    func `what was used, whatever number the server makes of it`(json: String, prompt: Int?, completion: Int?) throws {
        let answer = try #require(WireAnswer(json))
        #expect(answer.promptTokens == prompt)
        #expect(answer.completionTokens == completion)
    }

    @Test(arguments: ["[", #"{"choices":"#])
    func `nesting without end is no answer, and no end of the bot`(opening: String) {
        #expect(JSONValue(String(repeating: opening, count: 200_000)) == nil)
    }

    @Test(arguments: ["", "<html>", "{", #"{"choices":[{"delta":{"content":"a"#, "nonsense"])
    func `what is no JSON is no answer`(text: String) {
        #expect(JSONValue(text) == nil)
    }

    @Test(arguments: [
        #"{"error":{"message":"m"}}"#, #"{"error":"m"}"#, #"{"error":{},"choices":[]}"#, #"[{"error":{}}]"#,
        #"{"object":"error","message":"m"}"#, #"{"detail":"m"}"#,
    ])
    func `an error is seen`(json: String) { #expect(WireAnswer(json)?.error != nil) }

    @Test func `an error that is null is none`() {
        let answer = WireAnswer(#"{"error":null,"choices":[{"text":"a"}]}"#)
        #expect(answer?.text == "a")
        #expect(answer?.error == nil)
    }
}
