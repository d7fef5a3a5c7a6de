import Domain
import Formatting
import Runtime
import Storage

/// The end of a turn: what came of the question is stored, and then said.
///
/// An answer is paid for when it comes. While the store does not take it, it is kept in memory, its asker is told so, and
/// its turn goes on: STOP, RETRY and HISTORY see a question under way. It is stored, and only then said, when the store
/// works again; when the bot ends, that is tried once more, and what fails then is found interrupted at the next start.
extension Bot {
    /// What came of a question in the end.
    struct Answered {
        let turn: Turn
        let model: String
        let came: CompletionEnd
        let streamed: Streamed?
        /// Of all requests it took.
        let tokens: Int
        /// Of those before the last.
        let earlier: Int

        /// With the tokens of all requests.
        func counted(_ completion: Completion) -> Completion {
            guard earlier > 0 else { return completion }
            return Completion(
                text: completion.text, isCut: completion.isCut, promptTokens: completion.promptTokens,
                completionTokens: tokens.subtractingSaturated(completion.promptTokens ?? 0))
        }
    }

    func settle(
        _ answered: Answered, _ exchange: ExchangeID, _ number: Int, after started: Duration
    ) async throws(StoreFailure) {
        let turn = answered.turn
        switch Self.tidied(answered.came) {
        case .finished(let completion):
            let passage = await passage(completion, turn, exchange, number, after: answered.streamed)
            let isStored = try await insist(on: turn, completion.text, { await tell(Phrases.answerWaits, turn) }) {
                () async throws(StoreFailure) in
                try await store.answer(
                    exchange, with: answered.counted(completion), model: answered.model, at: time.wall(),
                    progress: passage.progress)
            }
            guard isStored else { return }
            log.info(
                "An answer was stored",
                [
                    "network": turn.speaker.connection.network, "account": turn.account.name,
                    "exchange": exchange.value, "milliseconds": (time.now() - started).wholeMilliseconds,
                ])
            turns.settle(turn.id)
            await say(passage, turn, exchange, number, after: answered.streamed)
        case .failed(let failure):
            log.error(
                "The API gave no answer",
                [
                    "network": turn.speaker.connection.network, "account": turn.account.name,
                    "exchange": exchange.value, "kind": failure.kind.rawValue, "detail": failure.detail,
                ])
            var isTold = false
            let tellOnce = {
                if !isTold { await self.tell([Phrases.failure(failure)], turn) }
                isTold = true
            }
            _ = try await insist(on: turn, failure.partial, tellOnce) { () async throws(StoreFailure) in
                try await store.fail(
                    exchange, kind: failure.kind, partial: failure.partial, tokens: answered.tokens, at: time.wall())
            }
            turns.settle(turn.id)
            await tellOnce()
        case .stopped(let partial):
            try await end(turn, exchange, partial: partial, tokens: answered.tokens)
        }
    }

    /// Ends a turn without its answer. Who told it to end was told already.
    func end(
        _ turn: Turn, _ exchange: ExchangeID, partial: String, tokens: Int = 0
    ) async throws(StoreFailure) {
        let isKnown = turns.isStopped(turn.id)
        _ = try await insist(on: turn, partial, {}) { () async throws(StoreFailure) in
            try await store.interrupt(exchange, partial: partial, tokens: tokens, isTold: isKnown)
        }
        if !isKnown { await tell([Phrases.stopped], turn) }
    }

    /// Nothing more comes of a turn: its asker is told, and its question does not stay pending.
    func giveUp(_ turn: Turn, _ exchange: ExchangeID) async {
        await tell(Phrases.answerLost, turn)
        guard !turns.hasEnded else { return }
        _ = try? await insist(on: turn, "", {}) { () async throws(StoreFailure) in
            try await store.interrupt(exchange, partial: "")
        }
    }

    /// Does this on the store until it works, keeping this text meanwhile; `whenItWaits` is called once, when it did not
    /// work at first. Throws where too much is kept already, and where the bot ends.
    private func insist<T>(
        on turn: Turn, _ text: String, _ whenItWaits: () async -> Void,
        _ body: () async throws(StoreFailure) -> T
    ) async throws(StoreFailure) -> T {
        defer { turns.release(turn.id) }
        var backoff = Backoff(first: .seconds(1), second: .seconds(2), longest: .seconds(60), jitter: 0.3)
        var isFirst = true
        while true {
            let isLast = turns.hasEnded
            do {
                return try await body()
            } catch {
                guard !isLast, error != .closed, turns.keep(turn.id, bytes: text.utf8.count) else { throw error }
                log.storeFailed(error, during: "storing what came of a question", of: turn.account.name)
            }
            if isFirst { await whenItWaits() }
            isFirst = false
            let pause = Task { [time, wait = backoff.next()] in _ = try? await time.sleep(wait) }
            turns.awaitStore(turn.id) { pause.cancel() }
            await pause.value
            turns.goOn(turn.id)
        }
    }

    /// What a model thought before it answered is not its answer; an answer that is nothing else is none.
    private static func tidied(_ answer: CompletionEnd) -> CompletionEnd {
        switch answer {
        case .finished(let completion):
            let text = ModelText.answer(in: completion.text)
            guard text.isVisible else {
                return .failed(CompletionFailure(.empty, detail: "nothing visible but reasoning"))
            }
            return .finished(
                Completion(
                    text: text, isCut: completion.isCut, promptTokens: completion.promptTokens,
                    completionTokens: completion.completionTokens))
        case .failed(let failure):
            return .failed(
                CompletionFailure(
                    failure.kind, detail: failure.detail, partial: ModelText.answer(in: failure.partial),
                    retryAfter: failure.retryAfter))
        case .stopped(let partial):
            return .stopped(partial: ModelText.answer(in: partial))
        }
    }
}
