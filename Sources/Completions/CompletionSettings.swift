public import Domain

/// How the operator's API is reached and asked.
public struct CompletionSettings: Sendable {
    /// Which of the two endpoints is spoken to.
    public enum Kind: String, Sendable, CaseIterable {
        /// `/v1/chat/completions`: a list of messages.
        case chat
        /// `/v1/completions`: one text that the model continues.
        case completions
    }

    /// With or without a slash or `/v1` at its end; see `endpoint`.
    public var baseURL: String
    public var kind: Kind
    /// Empty for servers that have only one.
    public var model: String
    public var key: Secret?
    /// For `completions`; nil for `PromptTemplate.standard`.
    public var promptTemplate: String?
    /// The answer ends before the first of these, also when the server does not heed them.
    public var stop: [String]
    /// Nil leaves it to the server; some models take no other value than their own.
    public var temperature: Double?
    /// The most an answer may cost, in tokens. Always sent: llama.cpp would fill its whole context.
    public var maxTokens: Int
    public var stream: Bool
    public var connectTimeout: Duration
    public var firstByteTimeout: Duration
    /// Of one question, whatever is tried for it.
    public var totalTimeout: Duration
    /// What the model takes, question and answer together; here only for judging an empty answer.
    public var contextTokens: Int
    /// Authorities in PEM instead of the system's.
    public var caFile: String?

    public init(
        baseURL: String, kind: Kind = .chat, model: String = "", key: Secret? = nil, promptTemplate: String? = nil,
        stop: [String] = [], temperature: Double? = nil, maxTokens: Int = 800, stream: Bool = true,
        connectTimeout: Duration = .seconds(10), firstByteTimeout: Duration = .seconds(60),
        totalTimeout: Duration = .seconds(180), contextTokens: Int = 4096, caFile: String? = nil
    ) {
        self.baseURL = baseURL
        self.kind = kind
        self.model = model
        self.key = key
        self.promptTemplate = promptTemplate
        self.stop = stop
        self.temperature = temperature
        self.maxTokens = maxTokens
        self.stream = stream
        self.connectTimeout = connectTimeout
        self.firstByteTimeout = firstByteTimeout
        self.totalTimeout = totalTimeout
        self.contextTokens = contextTokens
        self.caFile = caFile
    }

    /// The URL questions go to. `/v1` is put in unless the base names a version itself, as `…/v1` or `…/v1beta/openai` do.
    public var endpoint: String {
        let base = baseURL.hasSuffix("/") ? String(baseURL.reversed().drop { $0 == "/" }.reversed()) : baseURL
        let hasVersion = base.split(separator: "/").dropFirst(2).contains { part in
            part.first == "v" && part.dropFirst().first?.isNumber == true
        }
        return base + (hasVersion ? "" : "/v1") + (kind == .chat ? "/chat/completions" : "/completions")
    }
    /// A question may come with a limit of its own.
    func maxTokens(for prompt: Prompt) -> Int { prompt.maxTokens ?? maxTokens }
}
