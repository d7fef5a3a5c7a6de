import Completions
import Domain
import FoundationEssentials
import Glibc
import Runtime
import Synchronization
import TestKit
import Testing

/// A recorded reply and what must come of it.
struct Capture: Sendable, CustomTestStringConvertible {
    let name: String
    let completion: Completion?
    let kind: CompletionFailure.Kind?
    let partial: String

    static func answer(
        _ name: String, _ text: String, isCut: Bool = false, tokens: (Int, Int)? = nil
    ) -> Capture {
        let completion = Completion(text: text, isCut: isCut, promptTokens: tokens?.0, completionTokens: tokens?.1)
        return Capture(name: name, completion: completion, kind: nil, partial: "")
    }

    static func failure(_ name: String, _ kind: CompletionFailure.Kind, partial: String = "") -> Capture {
        Capture(name: name, completion: nil, kind: kind, partial: partial)
    }

    var testDescription: String { name }

    var bytes: [UInt8] {
        get throws {
            let folder = Places.products + "/confab_CompletionsTests.resources/Captures/"
            return Array(try Data(contentsOf: URL(filePath: folder + name + ".http")))
        }
    }
}

/// Replies of real servers, replayed byte for byte.
@Suite(.timeLimit(.minutes(2)))
struct CapturesTests {
    @Test(arguments: Self.all)
    func `a real server's reply`(_ capture: Capture) async throws {
        let server = try RawServer(replying: try capture.bytes)
        let outcome = await server.client { $0.stream = capture.name.contains("stream") }.ask()
        #expect(outcome.completion == capture.completion)
        #expect(outcome.failure?.kind == capture.kind)
        #expect(outcome.failure?.partial ?? "" == capture.partial)
        #expect(outcome.text == capture.completion?.text ?? capture.partial)
    }

    /// However the bytes are cut up, the outcome is the same; a reply that ends early is never taken for a whole one.
    @Test(arguments: ["xllamacpp.emoji-stream", "llamacpppython.completions-stream", "llmock.chat"])
    func `cut at every position`(_ name: String) async throws {
        let capture = try #require(Self.all.first { $0.name == name })
        let bytes = try capture.bytes
        let positions = Mutex(0)
        let server = try RawServer { connection in
            while !connection.readRequest().isEmpty {
                let position = positions.withLock { position in
                    defer { position += 1 }
                    return position
                }
                connection.write(Array(bytes[..<position]))
                // Without this the kernel would put both parts together again.
                usleep(100)
                connection.write(Array(bytes[position...]))
            }
        }
        let client = server.client { $0.stream = name.contains("stream") }
        for position in 0..<bytes.count {
            let outcome = await client.ask()
            #expect(outcome.completion == capture.completion, "cut at \(position)")
        }
    }

    static let all: [Capture] = [
        .answer("fakellm.chat-stream", "Hello from fakellm, how are you?"),
        .failure("fakellm.ratelimit", .rateLimited),
        .answer("litellm.chat-stream-usage", "Hello from LiteLLM, how are you?", tokens: (17, 10)),
        .answer("litellm.chat-stream", "Hello from LiteLLM, how are you?"),
        .answer("litellm.chat", "Hello from LiteLLM, how are you?", tokens: (10, 20)),
        .answer("litellm.completions-stream", "Hello from LiteLLM, how are you?", tokens: (0, 0)),
        .answer("litellm.completions", "Hello from LiteLLM, how are you?", tokens: (10, 20)),
        .failure("litellm.err-badjson", .rejected),
        .failure("litellm.err-model", .notFound),
        .failure("litellm.err-nokey", .unavailable),
        .failure("litellm.flaky-disconnect-stream", .interrupted, partial: "Hello! gpt-4o "),
        .failure("litellm.flaky-malformed-stream", .interrupted, partial: "Hello! gpt-4o "),
        .answer("litellm.flaky-truncate-stream", "Hello! gpt-4o "),
        .failure("litellm.mock429", .rateLimited),
        .failure("litellm.mock500", .unavailable),
        .failure("litellm.mockctx", .tooLong),
        .failure("litellm.mocktimeout", .timedOut),
        .answer("litellm.smollm2-stream", "Hello! I's", isCut: true),
        .answer("llamacpppython.chat-stream", "Awesome,", isCut: true),
        .answer("llamacpppython.chat", "Nice to meet you in the city", isCut: true, tokens: (20, 8)),
        .answer("llamacpppython.completions-stream", ", the United States", isCut: true),
        .answer("llamacpppython.completions", ", it was believed that the human mind", isCut: true, tokens: (4, 8)),
        .failure("llamacpppython.contentparts", .unavailable),
        .failure("llamacpppython.err-404", .notFound),
        .failure("llamacpppython.err-badjson", .unavailable),
        .failure("llamacpppython.err-badkey", .unauthorized),
        .failure("llamacpppython.err-ctx-stream", .empty),
        .failure("llamacpppython.err-ctx", .tooLong),
        .failure("llamacpppython.interrupted-stream", .interrupted, partial: "There once, and"),
        .answer(
            "llamacpppython.max_completion_tokens",
            "Hey there, welcome to my office. Just checking in for a minute. What can I do for you?", tokens: (20, 22)),
        .failure("llmkatan.azure-401", .unauthorized),
        .failure("llmkatan.azure-429", .rateLimited),
        .answer(
            "llmkatan.azure-chat",
            "[echo] model=katan host=vm:8601 time=2026-11-30T02:29:02Z messages=1 max_tokens=512 temperature=0.7\nUser: hi",
            tokens: (1, 9)),
        .answer("llmkatan.chat-stream", "[echo] model=katan host=er: Say hi.", tokens: (4, 10)),
        .answer(
            "llmkatan.chat",
            "[echo] model=katan host=vm:8601 time=2026-11-30T02:29:00Z messages=2 max_tokens=8 temperature=0.7\nUser: Say hi.",
            tokens: (4, 10)),
        .failure("llmkatan.err-badkey", .unauthorized),
        .answer("llmmockapi.chat-stream", "Hello! This is llm-mock-api. How can I help you today?", tokens: (10, 5)),
        .answer("llmock.chat-stream-usage", "Hello! gpt-4o received: Be brief. Say hi.", tokens: (3, 10)),
        .answer("llmock.chat-stream", "Hello! gpt-4o received: Be brief. Say hi."),
        .answer("llmock.chat", "Hello! gpt-4o received: Be brief. Say hi.", tokens: (3, 10)),
        .failure("llmock.err-ctx", .tooLong),
        .failure("llmock.fail-400", .rejected),
        .failure("llmock.fail-401", .unauthorized),
        .failure("llmock.fail-404", .notFound),
        .failure("llmock.fail-429-retry-after", .rateLimited),
        .failure("llmock.fail-500", .unavailable),
        .failure("llmock.fail-503", .unavailable),
        .failure("llmock.mistral-429", .rateLimited),
        .answer("llmock.reply-stream", "line one\nline two"),
        .answer("llmock.reply", "line one\nline two \u{02}bold\u{02} café 🎉\r\nQUIT :x", tokens: (1, 10)),
        .failure("llmock.rl-429", .rateLimited),
        .answer("llmock.rl-ok", "Hello! gpt-4o received: Say hi.", tokens: (1, 7)),
        .failure("llmock.stream-disconnect", .interrupted, partial: "Hello! gpt-4o "),
        .failure("llmock.stream-disconnect0", .interrupted),
        .failure("llmock.stream-malformed", .interrupted, partial: "Hello! gpt-4o "),
        .failure("llmock.stream-truncate", .interrupted, partial: "Hello! gpt-4o "),
        .answer("mockaiapi.chat-stream", "Hello. It's nice to meet you.", tokens: (8, 12)),
        .answer("mockaiapi.chat", "Hello. It's nice to meet you.", tokens: (8, 12)),
        .answer("mockaiapi.completions-stream", "Hello. It's nice to meet you.", tokens: (8, 12)),
        .answer("mockaiapi.completions", "Hello. It's nice to meet you.", tokens: (8, 12)),
        .failure("mockaiapi.mock-429", .rateLimited),
        .failure("mockaiapi.mock-500", .unavailable),
        .answer("mockllm.chat-stream", "mock default."),
        .answer("mocktopus.chat-stream", "Hello from mocktopus."),
        .failure("mocktopus.err-404", .notFound),
        .failure("nginx.301", .rejected),
        .failure("nginx.413", .tooLong),
        .failure("nginx.429", .rateLimited),
        .failure("nginx.502", .unavailable),
        .failure("nginx.504", .unavailable),
        .answer("nginx.chat-stream", "Hello there! How", isCut: true),
        .failure("nginx.html200", .malformed),
        .answer("stubllm.chat-stream", "Hello from stubllm, how are you?"),
        .failure("stubllm.err-badjson", .unavailable),
        .failure("stubllm.ratelimit", .rateLimited),
        .answer("transformersserve.chat-stream", "Intersection overall Seeds plank", isCut: true, tokens: (20, 4)),
        .answer(
            "transformersserve.chat", "Intersection overall Seeds plankbelow deterrent OCdough", isCut: true,
            tokens: (20, 8)),
        .answer(
            "transformersserve.completions-stream", "collaborating GaMental suitability", isCut: true, tokens: (4, 4)),
        .answer(
            "transformersserve.completions", "collaborating GaMental suitabilitySome Illust giving Kepler", isCut: true,
            tokens: (4, 8)),
        .failure("transformersserve.err-badjson", .rejected),
        .failure("transformersserve.err-model", .rejected),
        .failure("transformersserve.err-nomessages", .unavailable),
        .failure("xllamacpp.badtype", .rejected),
        .answer("xllamacpp.chat-stream-usage", "Hey there! Welcome", isCut: true, tokens: (20, 4)),
        .answer("xllamacpp.chat-stream", "I'm here to", isCut: true),
        .answer("xllamacpp.chat", "Hello! I'm here to help you", isCut: true, tokens: (20, 8)),
        .answer("xllamacpp.completions-stream", ", a group of", isCut: true, tokens: (4, 4)),
        .answer("xllamacpp.completions", ", the town was plagued by a mysterious", isCut: true, tokens: (4, 8)),
        .answer("xllamacpp.emoji-stream", "🎉🎉🎉🎉", isCut: true),
        .failure("xllamacpp.err-401", .unauthorized),
        .failure("xllamacpp.err-404", .notFound),
        .failure("xllamacpp.err-503-loading", .unavailable),
        .failure("xllamacpp.err-badjson", .rejected),
        .failure("xllamacpp.err-ctx", .tooLong),
        .failure("xllamacpp.err-nomessages", .rejected),
        .failure("xllamacpp.n2", .rejected),
        .failure("xllamacpp.reasoning-stream", .empty),
        .failure("xllamacpp.reasoning", .empty),
        .answer("xllamacpp.stop", "5,", tokens: (11, 5)),
        .failure("xllamacpp.stream-ping", .empty),
        .answer("xpydsim.chat-stream-usage", "The quick brown fox", tokens: (6, 4)),
        .answer("xpydsim.completions-stream", "The quick brown"),
        .failure("xpydsim.err-badkey", .unauthorized),
        .failure("xpydsim.err-ctx", .tooLong),
    ]
}
