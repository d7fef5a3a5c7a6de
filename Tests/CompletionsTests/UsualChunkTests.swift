import TestKit
import Testing

@testable import Completions

/// Where the quick reader reads, it reads what the whole parser would.
struct UsualChunkTests {
    private static let usual = [
        #"{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}]}"#,
        #"{"id":"c-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":"stop"}],"usage":null}"#,
        #"{"choices":[{"text":"a \"quoted\" \\ line\n\tand caf\u00e9 \/","index":0,"finish_reason":"length"}],"x":-1.5}"#,
        #" { "choices" : [ ] , "created" : 0 , "ok" : true , "no" : false } "#,
        #"{"choices":[{"message":{"content":null,"refusal":null},"text":"beside"}]}"#,
    ]
    private static let unusual = [
        #"{"choices":[{"delta":{"content":"a\ud83d\ude00"}}]}"#, #"{"choices":[{"delta":{"content":[{"text":"a"}]}}]}"#,
        #"{"choices":[{"delta":{"content":"a","refusal":"no"}}]}"#, #"{"choices":[{"text":"a"},{"text":"b"}]}"#,
        #"{"choices":[],"usage":{"prompt_tokens":1}}"#, #"{"error":{"message":"m"}}"#, #"{"object":"error"}"#,
        #"{"choices":[{"delta":{"content":"a"},"delta":{"content":"b"}}]}"#,
        #"{"choices":[],"choices":[{"text":"b"}]}"#,
        #"{"choices":[{"text":"a"}],"n":1e999}"#, #"{"choices":[{"text":"a"}]"#, #"{"choices":[{"text":"a"}]}}"#,
        #"{"choices":[{"text":"a"}],"n":01}"#, #"{"detail":"m"}"#, "", "[]", "null", "{", #"{"a"}"#,
        #"{"choices":[{"text":"a}]}"#,
    ]

    @Test(arguments: usual) func `what servers usually send is read at once`(json: String) throws {
        _ = try #require(UsualChunk(json))
        expectSame(json)
    }

    @Test(arguments: unusual) func `whatever else they send is left to the whole parser`(json: String) {
        #expect(UsualChunk(json) == nil)
    }

    @Test func `of whatever is made of chunks, both read the same`() throws {
        var dice = SeededGenerator(seed: 5)
        let pieces: [[UInt8]] = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0041", "\\u00e9", "\\ud83d", "null", "true", "1", "-", ".",
            "0", "e9", " ",
            "\"content\"", "\"text\"", "\"delta\":{}", "\"choices\":[]", "\"error\":1", "\"usage\":null", "é", "\n",
        ].map { Array($0.utf8) }
        var read = 0
        for round in 0..<15_000 {
            var bytes = Array(Self.usual[round % Self.usual.count].utf8)
            for _ in 0..<Int.random(in: 0...2, using: &dice) {
                let start = Int.random(in: 0...bytes.count, using: &dice)
                let end = min(bytes.count, start + Int.random(in: 0...3, using: &dice))
                bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &dice) ?? [])
            }
            let json = String(decoding: bytes, as: UTF8.self)
            if UsualChunk(json) != nil {
                read += 1
                expectSame(json)
            }
        }
        #expect(read > 5000)
    }

    private func expectSame(_ json: String) {
        let usual = UsualChunk(json)
        let whole = WireAnswer(whole: json)
        #expect(whole != nil && whole?.error == nil, "\(json)")
        #expect(usual?.text == whole?.text, "\(json)")
        #expect(usual?.finishReason == whole?.finishReason, "\(json)")
        #expect(usual?.hasChoice == whole?.hasChoice, "\(json)")
        #expect(whole?.promptTokens == nil && whole?.completionTokens == nil, "\(json)")
    }
}
