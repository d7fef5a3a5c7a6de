/// What is put to the model: the operator's instruction, the conversation so far, and the question.
public struct Prompt: Sendable, Equatable {
    public struct Turn: Sendable, Equatable {
        public let question: String
        public let answer: String

        public init(question: String, answer: String) {
            self.question = question
            self.answer = answer
        }
    }

    public var system: String
    /// Oldest first.
    public var history: [Turn]
    public var question: String
    /// Nil for the API's configured model.
    public var model: String?
    /// Nil for the configured one.
    public var temperature: Double?
    /// The longest answer; nil for the configured one.
    public var maxTokens: Int?

    public init(
        system: String, history: [Turn], question: String, model: String? = nil, temperature: Double? = nil,
        maxTokens: Int? = nil
    ) {
        self.system = system
        self.history = history
        self.question = question
        self.model = model
        self.temperature = temperature
        self.maxTokens = maxTokens
    }
}

/// A whole answer, as it is stored.
public struct Completion: Sendable, Equatable {
    public let text: String
    /// The model ended for want of tokens (`finish_reason` `length`).
    public let isCut: Bool
    /// From the API's `usage`; nil where it gave none.
    public let promptTokens: Int?
    public let completionTokens: Int?

    public init(text: String, isCut: Bool, promptTokens: Int? = nil, completionTokens: Int? = nil) {
        self.text = text
        self.isCut = isCut
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
    }
}

/// Why there is no answer.
public struct CompletionFailure: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// No connection to the API, or TLS refused.
        case unreachable
        /// A deadline passed: connecting, first byte, or in all.
        case timedOut
        /// 429 that a wait mends.
        case rateLimited
        /// 402, or a 429 that only the operator's purse mends.
        case quotaExhausted
        /// 401, 403.
        case unauthorized
        /// The model or the path is not known there.
        case notFound
        /// The question alone is larger than the model's context.
        case tooLong
        /// The provider's filter refused the question or the answer.
        case filtered
        /// 5xx, overloaded, loading.
        case unavailable
        /// Another 4xx.
        case rejected
        /// Not an answer: HTML, broken JSON, no choices.
        case malformed
        /// The stream broke off in the middle.
        case interrupted
        /// An answer without a word in it.
        case empty
        /// More than the client takes.
        case oversized
        /// The bot itself ended it.
        case cancelled
    }

    public let kind: Kind
    /// For the log: one line, secrets taken out, bounded in length. Never said to people.
    public let detail: String
    /// The text that came before it failed.
    public let partial: String
    /// How long the API asked to wait.
    public let retryAfter: Duration?

    public init(_ kind: Kind, detail: String, partial: String = "", retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.partial = partial
        self.retryAfter = retryAfter
    }
}

/// What came of a question.
public enum CompletionEnd: Sendable, Equatable {
    case finished(Completion)
    case failed(CompletionFailure)
    /// The caller ended it; what had come until then.
    case stopped(partial: String)
}

/// The port to the completions API.
///
/// Contract: a prepared question is answered within the configured total deadline, counted from when it is asked;
/// cancelling the task ends the transfer. Calls may come from any task, a thousand at once, and whatever the answer takes
/// of the processor is taken where the caller's task runs.
public protocol CompletionService: Sendable {
    /// Does all that can be done before the question is sent; nothing leaves the process.
    func prepare(_ prompt: Prompt) async -> PreparedQuestion
}

/// A question that only has to be sent.
public struct PreparedQuestion: Sendable {
    /// Gets the text as it comes; the pieces joined are the answer.
    public typealias Listener = @Sendable (String) async -> Void

    private let ask: @Sendable (Listener?) async -> CompletionEnd

    public init(_ ask: @escaping @Sendable (Listener?) async -> CompletionEnd) { self.ask = ask }

    /// Asks, once. Without a listener nothing is heard of an answer before its end.
    public func answer(hear: Listener?) async -> CompletionEnd { await ask(hear) }
}
