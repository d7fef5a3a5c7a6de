import Domain

/// The JSON that is sent: only what every server takes, so no `stream_options`, `n` or `user`.
struct RequestBody {
    private struct Message {
        let role: String
        /// Plain text always; lists of parts break several servers.
        let content: String

        var json: JSONOutput { .object([("role", .string(role)), ("content", .string(content))]) }
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
        let limit = settings.maxTokens(for: prompt)
        maxTokens = usesMaxCompletionTokens ? nil : limit
        maxCompletionTokens = usesMaxCompletionTokens ? limit : nil
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
        let members: [(name: String, value: JSONOutput?)] = [
            ("model", model.map { .string($0) }),
            ("messages", messages.map { .array($0.map(\.json)) }),
            ("prompt", prompt.map { .string($0) }),
            ("max_tokens", maxTokens.map { .integer($0) }),
            ("max_completion_tokens", maxCompletionTokens.map { .integer($0) }),
            ("temperature", temperature.map { .real($0) }),
            ("stop", stop.map { .array($0.map { .string($0) }) }),
            ("stream", stream.map { .boolean($0) }),
        ]
        return JSONOutput.object(members.compactMap { name, value in value.map { (name, $0) } }).bytes
    }
}
