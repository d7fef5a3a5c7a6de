import Domain
import Network
import Runtime

/// One question from its first request to its one end.
///
/// Asked again at most once for want of a whole connection or server, once with half the history, and once with the
/// other name of the token limit; and never when any text has come, since that may have been paid for and said.
struct CompletionCall: Sendable {
    private static let wireLimit = 1_000_000
    private static let detailLimit = 300

    let settings: CompletionSettings
    let tokenLimit: TokenLimitName
    let log: Log
    let time: Time

    /// A request that only has to be sent.
    struct Attempt: Sendable {
        let request: PreparedRequest
        let usesMaxCompletionTokens: Bool
    }

    /// The first attempt.
    func prepare(_ prompt: Prompt) async -> Attempt { await attempt(prompt, within: settings.totalTimeout) }

    func run(_ prompt: Prompt, _ first: Attempt, _ hear: PreparedQuestion.Listener?) async -> CompletionEnd {
        let deadline = time.now() + settings.totalTimeout
        var prompt = prompt
        var attempt = first
        var mayShrink = true
        var mayRepeat = true
        while !Task.isCancelled {
            let reader = await ask(attempt, hear)
            if case .finished(let completion) = reader.verdict { return .finished(completion) }
            guard let failure = failure(of: reader, prompt) else { return .stopped(partial: reader.text) }
            if reader.wantsMaxCompletionTokens, !attempt.usesMaxCompletionTokens {
                tokenLimit.switchToMaxCompletionTokens()
                log.info("the API wants max_completion_tokens; asking again")
            } else if mayShrink, failure.kind == .tooLong, reader.text.isEmpty, !prompt.history.isEmpty {
                mayShrink = false
                prompt.history.removeFirst((prompt.history.count + 1) / 2)
                log.info("more than the model takes; asking again with less history", ["api": failure.detail])
            } else if mayRepeat, let wait = wait(after: reader, failure), time.now() + wait < deadline {
                mayRepeat = false
                log.info("asking the API again", ["after": wait, "api": failure.detail])
                guard (try? await time.sleep(wait)) != nil else { break }
            } else {
                return .failed(failure)
            }
            attempt = await self.attempt(prompt, within: deadline - time.now())
        }
        return .stopped(partial: "")
    }

    /// One request and its response; text is passed on as it comes.
    private func ask(_ attempt: Attempt, _ hear: PreparedQuestion.Listener?) async -> AnswerReader {
        var reader = AnswerReader(stops: stops)
        let response = attempt.request.send()
        for await event in response.events {
            let text: String
            switch event {
            case .head(let status, let headers):
                reader.receive(status: status, headers: headers)
                continue
            case .body(let bytes): text = reader.receive(bytes)
            case .finished: text = reader.end(nil)
            case .failed(let failure): text = reader.end(failure)
            }
            if !text.isEmpty { await hear?(text) }
            if reader.verdict != nil { break }
        }
        // The formal end is let come, so that the connection can be used again.
        if reader.isDone { response.letEnd() }
        return reader
    }

    private func attempt(_ prompt: Prompt, within limit: Duration) async -> Attempt {
        let usesMaxCompletionTokens = tokenLimit.usesMaxCompletionTokens
        let body = RequestBody(prompt, settings, stops: stops, usesMaxCompletionTokens: usesMaxCompletionTokens)
        return Attempt(
            request: await HTTP.prepare(request(body.json, total: limit)),
            usesMaxCompletionTokens: usesMaxCompletionTokens)
    }

    private func request(_ body: [UInt8], total: Duration) -> HTTPRequest {
        let accept = settings.stream ? "text/event-stream, application/json" : "application/json"
        return HTTPRequest(
            url: settings.endpoint, method: .post,
            headers: [("Content-Type", "application/json"), ("Accept", accept), ("User-Agent", "confab")],
            bearer: settings.key, body: body, connectTimeout: settings.connectTimeout,
            firstByteTimeout: settings.firstByteTimeout, totalTimeout: total, bodyLimit: Self.wireLimit,
            caFile: settings.caFile)
    }

    /// The operator's, or the beginning of a turn that a `completions` model would invent.
    private var stops: [String] {
        guard settings.stop.isEmpty, settings.kind == .completions else { return settings.stop }
        return [PromptTemplate(settings).inventedTurn].compactMap { $0 }
    }
}

// What went wrong, and whether waiting helps.
extension CompletionCall {
    /// Nil for a finished answer, and for one that was cancelled.
    private func failure(of reader: AnswerReader, _ prompt: Prompt) -> CompletionFailure? {
        switch reader.verdict {
        case nil, .finished: return nil
        case .failed(var kind, let detail):
            // llama-cpp-python answers an overflow with an empty stream.
            if kind == .empty, reader.status == 200, isLikelyTooLong(prompt) { kind = .tooLong }
            return CompletionFailure(kind, detail: line(detail), partial: reader.text)
        case .error(let error):
            let kind = reader.text.isEmpty ? error.kind(status: reader.status) : .interrupted
            let detail = ["HTTP \(reader.status)", error.code, error.message].filter { !$0.isEmpty }.joined(
                separator: ": ")
            let wait = RetryAfter.wait(in: reader.headers, now: time.wall())
            return CompletionFailure(kind, detail: line(detail), partial: reader.text, retryAfter: wait)
        }
    }

    private func isLikelyTooLong(_ prompt: Prompt) -> Bool {
        let texts = [prompt.system, prompt.question] + prompt.history.flatMap { [$0.question, $0.answer] }
        return texts.reduce(settings.maxTokens(for: prompt)) { $0 + Tokens.estimate($1) } > settings.contextTokens
    }

    /// How long to wait before the one repetition, or nil when there is to be none.
    private func wait(after reader: AnswerReader, _ failure: CompletionFailure) -> Duration? {
        guard reader.text.isEmpty else { return nil }
        if failure.kind == .rateLimited { return failure.retryAfter }
        let isBroken = reader.status == 0 && failure.kind == .unavailable
        guard isBroken || [502, 503, 504, 529].contains(reader.effectiveStatus) else { return nil }
        var backoff = Backoff(first: .seconds(1), second: .seconds(1), longest: .seconds(1), jitter: 0.3)
        return failure.retryAfter ?? backoff.next()
    }

    /// One line without the key, of bounded length.
    private func line(_ text: String) -> String {
        var text = text
        if let key = settings.key?.reveal(), !key.isEmpty { text = text.replacing(key, with: "(key)") }
        let words = text.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
        let safe = words.map { $0.contains("sk-") ? "(key)" : String($0) }.joined(separator: " ")
        return String(safe.prefix(Self.detailLimit))
    }
}
