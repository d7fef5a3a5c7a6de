import Accounts
import Domain
import Formatting
import Runtime
import Storage

/// A question's way: admitted, stored, asked, its answer stored and only then said.
///
/// Invariant: the question is durable before it is sent, and the answer before it is said. A question that cannot be stored
/// is not sent; an answer that cannot be is kept until it can.
extension Bot {
    // MARK: Deciding

    func admit(
        _ question: String, in place: Place, _ speaker: Speaker, _ visit: VisitID, _ account: Account,
        retryOf: Int? = nil, gathered joint: Gathering.Joint? = nil
    ) -> [Work] {
        // Until it is taken: what belongs to a question that is refused is refused with it.
        let source = Gathering.Source(visit: visit, place: place)
        if let joint { gathering.begin(question, joint, from: source, as: nil, at: time.now()) }
        guard !turns.isWindingDown else { return refuse(Phrases.windingDown, speaker) }
        guard !desk.mailroom.mustVerify(account) else {
            return refuse(Phrases.mustVerify(ownNick(on: speaker.connection)), speaker)
        }
        if let most = settings.quickReplies, retryOf == nil {
            switch roster.takeQuestion(by: visit, length: question.unicodeScalars.count, at: time.now(), most: most) {
            case .goesOn: break
            case .pauses:
                log.warning(
                    "Somebody replies as fast as a bot and has to wait",
                    ["network": speaker.connection.network, "nick": speaker.nick, "account": account.name])
                return notice(Phrases.repliesLikeABot, to: speaker)
            case .isPaused: return []
            }
        }
        let scopes = Budgets.scopes(account.id, speaker.connection.network, place.key)
        let now = moment()
        if let refusal = budgets.refusal(of: scopes, now: now) {
            return refuse(Phrases.refused(refusal), speaker)
        }
        let turn = Turn(
            id: turns.nextID(), speaker: speaker, visit: visit, account: account, place: place,
            question: question, askedAt: time.wall(), countedAt: now, retryOf: retryOf)
        let channel = place.channel.map { TurnQueue.Channel(network: speaker.connection.network, name: $0) }
        let admission = turns.admit(turn, in: channel)
        if admission == .starts || admission == .waits {
            budgets.asked(scopes, at: now)
            if let joint { gathering.begin(question, joint, from: source, as: turn.id, at: time.now()) }
        }
        switch admission {
        case .starts, .waits:
            return [.turn(turn)]
        case .refusedOwn:
            return refuse(Phrases.ownQueueFull(turns.limits.waitingPerAccount), speaker)
        case .refusedChannel:
            return refuse(Phrases.channelQueueFull, speaker)
        case .refusedAll:
            log.warning("A question was refused: too many wait", ["network": speaker.connection.network])
            return refuse(Phrases.allQueuesFull, speaker)
        }
    }

    /// Once a minute at most: who floods is not answered line by line.
    private func refuse(_ lines: [String], _ speaker: Speaker) -> [Work] {
        let isTold = courtesy.allows(
            .refusal, to: speaker.nick, on: speaker.connection, every: .seconds(60), now: time.now())
        if isTold { return notice(lines, to: speaker) }
        countRefused(speaker)
        return []
    }

    // MARK: Doing

    func take(_ turn: Turn) async {
        do {
            let new = NewExchange(
                account: turn.account.id, loginEpoch: turn.account.loginEpoch,
                network: turn.speaker.connection.network, place: turn.place,
                nick: turn.place.relayed ?? turn.speaker.nick.spelling,
                question: turn.question, askedAt: turn.askedAt, retryOf: turn.retryOf)
            // While it is being stored, unless the turn before it, or a NEW, is still to become part of the conversation.
            let isNext = turns.isNext(turn)
            var prepared: Result<Prepared, StoreFailure>?
            guard let exchange = try await store.begin(new, meanwhile: { if isNext { prepared = await prepare(turn) } })
            else {
                await endLogins(of: turn.account)
                if turn.place.relayed != nil { await loadRelays() }
                return over(turn)
            }
            if await mayGoOn(turn.id) {
                await ask(turn, exchange.id, exchange.number, prepared)
            } else {
                try await end(turn, exchange.id, partial: "")
            }
        } catch {
            log.storeFailed(error, during: "storing a question", of: turn.account.name)
            await tell(Phrases.storeFailed, turn)
        }
        over(turn)
        await tellRefused(turn)
    }

    private func over(_ turn: Turn) {
        gathering.close(turn.id)
        turns.finish(turn)
    }

    private func ask(
        _ asked: Turn, _ exchange: ExchangeID, _ number: Int, _ prepared: Result<Prepared, StoreFailure>?
    ) async {
        let started = time.now()
        do {
            guard let answered = try await answer(to: asked, exchange, number, prepared) else { return }
            turns.answered(asked.id)
            try await settle(answered, exchange, number, after: started)
        } catch {
            log.storeFailed(error, during: "storing an answer", of: asked.account.name)
            await giveUp(asked, exchange)
        }
    }

    /// Asks a question, and anew as long as lines joined it meanwhile; then none does any more. Nil where its exchange was
    /// ended by somebody else.
    private func answer(
        to asked: Turn, _ exchange: ExchangeID, _ number: Int, _ early: Result<Prepared, StoreFailure>?
    ) async throws(StoreFailure) -> Answered? {
        var turn = asked
        var early = early
        var tokens = 0
        while true {
            await pause(before: turn.id)
            if !isWhole(turn), let question = gathering.question(of: turn.id) {
                turn.question = question
                early = nil
                guard try await store.extend(exchange, to: question, spent: tokens) else { return nil }
            }
            let prepared = if let early { early } else { await prepare(turn) }
            let (model, question) = try prepared.get()
            guard isWhole(turn) else { continue }
            gathering.asks(turn.id)
            if isStreamed(turn) { turns[stream: turn.id] = Streamed(linesLeft: maxLines(of: turn)) }
            let came = await receive(question, turn, exchange, number)
            let cost = Budgets.tokens(of: came, to: turn.question)
            spent(cost, turn)
            let streamed = await endOfStream(turn)
            if isWhole(turn) {
                gathering.close(turn.id)
                return Answered(
                    turn: turn, model: model, came: came, streamed: streamed, tokens: tokens.addingSaturated(cost),
                    earlier: tokens)
            }
            tokens = tokens.addingSaturated(cost)
        }
    }

    /// A question as it will be asked, and of which model.
    private typealias Prepared = (model: String, question: PreparedQuestion)

    private func prepare(_ turn: Turn) async -> Result<Prepared, StoreFailure> {
        do throws(StoreFailure) {
            let prompt = try await prompt(for: turn)
            return .success((prompt.model ?? settings.model, await completions.prepare(prompt)))
        } catch {
            return .failure(error)
        }
    }

    private func prompt(for turn: Turn) async throws(StoreFailure) -> Prompt {
        let connection = turn.speaker.connection
        let rules = rules(of: turn)
        let system = system(of: turn)
        let history = try await store.context(
            of: turn.account.id, network: connection.network, place: turn.place, limit: Context.longest,
            retryOf: turn.retryOf)
        let fitting = Context.fitting(
            history, system: system, question: turn.question, contextTokens: settings.contextTokens,
            maxTokens: rules?.maxTokens ?? settings.maxTokens)
        return Prompt(
            system: system, history: fitting, question: turn.question, model: model(of: turn),
            temperature: rules?.temperature, maxTokens: rules?.maxTokens)
    }

    private func receive(
        _ question: PreparedQuestion, _ turn: Turn, _ exchange: ExchangeID, _ number: Int
    ) async -> CompletionEnd {
        guard turns.mayWait(turn.id) else { return .stopped(partial: "") }
        let spoken = Spoken(exchange: exchange, number: number, turn: turn)
        var hear: (@Sendable (String) async -> Void)?
        if turns[stream: turn.id] != nil { hear = { await self.take($0, spoken) } }
        // Begun at once, without waking a thread for it.
        let executor = Task.executorPreference
        let task = Task.immediate(executorPreference: executor) { [hear] in await question.answer(hear: hear) }
        turns.awaitAnswer(turn.id) { task.cancel() }
        expectAnswer(to: turn)
        defer {
            turns.goOn(turn.id)
            turns.remind(turn.id, at: nil)
        }
        return await task.value
    }

    // MARK: Waiting

    /// Returns when it is the turn's turn; false where it is not to be asked any more.
    private func mayGoOn(_ turn: TurnID) async -> Bool {
        if let mayGoOn = turns.mayBeAsked(turn) { return mayGoOn }
        return await withCheckedContinuation { place in
            turns.awaitPlace(of: turn) { place.resume(returning: $0) }
        }
    }
}
