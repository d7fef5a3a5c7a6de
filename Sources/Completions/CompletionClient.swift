public import Domain
public import Runtime
import Synchronization

/// The real completions API: questions over HTTP, answers as they come.
///
/// Any number at once, all on the network thread. Whatever the server does, a question ends within `totalTimeout`.
public final class CompletionClient: CompletionService {
    private let settings: CompletionSettings
    private let log: Log
    private let time: Time
    private let tokenLimit = TokenLimitName()

    public init(settings: CompletionSettings, log: Log, time: Time = .system) {
        self.settings = settings
        self.log = log
        self.time = time
    }

    public func prepare(_ prompt: Prompt) async -> PreparedQuestion {
        let call = CompletionCall(settings: settings, tokenLimit: tokenLimit, log: log, time: time)
        let first = await call.prepare(prompt)
        return PreparedQuestion { hear in await call.run(prompt, first, hear) }
    }
}

/// Which name of the token limit this API takes; learnt once from its refusal.
final class TokenLimitName: Sendable {
    private let isCompletion = Atomic(false)

    var usesMaxCompletionTokens: Bool { isCompletion.load(ordering: .relaxed) }

    func switchToMaxCompletionTokens() { isCompletion.store(true, ordering: .relaxed) }
}
