import Domain
import FoundationEssentials

/// The JSON that is sent: only what every server takes, so no `stream_options`, `n` or `user`.
struct RequestBody: Encodable {
    private struct Message: Encodable {
        let role: String
        /// Plain text always; lists of parts break several servers.
        let content: String
    }

    private let model: String?
    private let messages: [Message]?
    private let prompt: String?
    private let maxTokens: Int?
    private let maxCompletionTokens: Int?
    private let temperature: Double?
    private let stop: [String]?
    private let stream: Bool?

    private enum CodingKeys: String, CodingKey {
        case model, messages, prompt, temperature, stop, stream
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
    }

    /// Some models insist on `max_completion_tokens`, many servers know `max_tokens` only.
    init(_ prompt: Prompt, _ settings: CompletionSettings, stops: [String], usesMaxCompletionTokens: Bool) {
        let name = prompt.model ?? settings.model
        model = name.isEmpty ? nil : name
        maxTokens = usesMaxCompletionTokens ? nil : settings.maxTokens
        maxCompletionTokens = usesMaxCompletionTokens ? settings.maxTokens : nil
        temperature = settings.temperature
        stop = stops.isEmpty ? nil : stops
        stream = settings.stream ? true : nil
        switch settings.kind {
        case .chat:
            messages = Self.messages(of: prompt)
            self.prompt = nil
        case .completions:
            messages = nil
            self.prompt = PromptTemplate(settings).text(for: prompt)
        }
    }

    private static func messages(of prompt: Prompt) -> [Message] {
        var messages = prompt.system.isEmpty ? [] : [Message(role: "system", content: prompt.system)]
        for turn in prompt.history {
            messages.append(Message(role: "user", content: turn.question))
            messages.append(Message(role: "assistant", content: turn.answer))
        }
        return messages + [Message(role: "user", content: prompt.question)]
    }

    /// As bytes for the wire.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            // Strings, whole numbers and a temperature that the configuration checked: all of it has a JSON form.
            preconditionFailure("a request that has no JSON form: \(error)")
        }
    }
}
