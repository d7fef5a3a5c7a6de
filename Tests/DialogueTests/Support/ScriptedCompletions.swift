import Domain
import Synchronization

/// One step of a scripted answer.
enum CompletionEvent: Sendable {
    case text(String)
    case finished(Completion)
    case failed(CompletionFailure)
}

/// A completions API that answers as the test says, and keeps what it was asked.
final class ScriptedCompletions: CompletionService {
    typealias Script = @Sendable (Prompt) -> [CompletionEvent]

    /// An answer that a test gives piece by piece.
    struct Asked: Sendable {
        let prompt: Prompt
        let stream: AsyncStream<CompletionEvent>.Continuation

        func answer(_ text: String) {
            stream.yield(.text(text))
            finish(text)
        }

        /// All of it has come in, piece by piece.
        func finish(_ text: String) {
            stream.yield(.finished(Completion(text: text, isCut: false)))
            stream.finish()
        }
    }

    private struct State {
        var prompts: [Prompt] = []
        var script: Script?
        var asked: [Asked] = []
        var cancelledCount = 0
    }

    private let state = Mutex(State(script: ScriptedCompletions.saying("An answer.")))

    static func saying(_ text: String, isCut: Bool = false) -> Script {
        { _ in [.text(text), .finished(Completion(text: text, isCut: isCut, promptTokens: 7, completionTokens: 5))] }
    }

    static func failing(_ kind: CompletionFailure.Kind, partial: String = "") -> Script {
        { _ in [.failed(CompletionFailure(kind, detail: "scripted", partial: partial))] }
    }

    /// Every prompt so far, oldest first.
    var prompts: [Prompt] { state.withLock { $0.prompts } }

    /// Transfers that the bot gave up.
    var cancelledCount: Int { state.withLock { $0.cancelledCount } }

    /// What is asked from now on is answered by this script at once; nil to answer by hand, through `asked`.
    func answer(by script: Script?) { state.withLock { $0.script = script } }

    /// The questions that wait for an answer by hand, oldest first, the answered ones among them.
    var asked: [Asked] { state.withLock { $0.asked } }

    func prepare(_ prompt: Prompt) async -> PreparedQuestion {
        PreparedQuestion { hear in await self.answer(prompt, hear) }
    }

    private func answer(_ prompt: Prompt, _ hear: PreparedQuestion.Listener?) async -> CompletionEnd {
        var partial = ""
        for await event in events(answering: prompt) {
            switch event {
            case .text(let piece):
                partial += piece
                await hear?(piece)
            case .finished(let completion): return .finished(completion)
            case .failed(let failure): return .failed(failure)
            }
        }
        return .stopped(partial: partial)
    }

    private func events(answering prompt: Prompt) -> AsyncStream<CompletionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: CompletionEvent.self)
        continuation.onTermination = { reason in
            guard case .cancelled = reason else { return }
            self.state.withLock { $0.cancelledCount += 1 }
        }
        let script = state.withLock { state in
            state.prompts.append(prompt)
            if state.script == nil { state.asked.append(Asked(prompt: prompt, stream: continuation)) }
            return state.script
        }
        if let script {
            for event in script(prompt) { continuation.yield(event) }
            continuation.finish()
        }
        return stream
    }
}
