import Domain

/// The JSON that is sent: only what every server takes, so no `stream_options`, `n` or `user`.
struct RequestBody {
    private struct Message {
        let role: String
        /// Plain text always; lists of parts break several servers.
        let content: String

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("role", role)
                json.member("content", content)
            }
        }
    }

    private let model: String?
    private let messages: [Message]?
    private let prompt: String?
    private let maxTokens: Int?
    private let maxCompletionTokens: Int?
    private let temperature: Double?
    private let stop: [String]?
    private let stream: Bool?

    /// Some models insist on `max_completion_tokens`, many servers know `max_tokens` only.
    init(_ prompt: Prompt, _ settings: CompletionSettings, stops: [String], usesMaxCompletionTokens: Bool) {
        let name = prompt.model ?? settings.model
        model = name.isEmpty ? nil : name
        let mostTokens = settings.maxTokens(for: prompt)
        maxTokens = usesMaxCompletionTokens ? nil : mostTokens
        maxCompletionTokens = usesMaxCompletionTokens ? mostTokens : nil
        temperature = prompt.temperature ?? settings.temperature
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
        var writer = JSONWriter()
        writer.object { json in
            if let model { json.member("model", model) }
            if let messages {
                json.name("messages")
                json.array { json in for message in messages { message.write(to: &json) } }
            }
            if let prompt { json.member("prompt", prompt) }
            if let maxTokens { json.member("max_tokens", maxTokens) }
            if let maxCompletionTokens { json.member("max_completion_tokens", maxCompletionTokens) }
            if let temperature { json.member("temperature", temperature) }
            if let stop {
                json.name("stop")
                json.array { json in for text in stop { json.text(text) } }
            }
            if let stream { json.member("stream", stream) }
        }
        return writer.bytes
    }
}
