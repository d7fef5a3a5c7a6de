import Domain
import Runtime
import Storage

/// Where answers go, and what happens when they do not arrive.
extension Bot {
    /// The server did not take something said there: the answer that is just being said, else the last one, if it was
    /// lately. Of several refused lines of one answer only the first matters.
    func refused(_ target: Target, _ reason: String, on connection: ConnectionID) -> [Work] {
        let place = target.channel.map { target.moved(to: configuredName(of: $0, on: connection)) } ?? target
        let key = SpokenKey(connection: connection, target: place)
        guard let exchange = answers.refusable(at: key, now: time.now()) else { return [] }
        return refused(exchange, at: key, reason)
    }

    /// The server did not take this answer.
    func refused(_ exchange: ExchangeID, at key: SpokenKey, _ reason: String) -> [Work] {
        guard let (answer, consequence) = answers.refuse(exchange, at: key) else { return [] }
        logUndelivered(answer, reason)
        guard consequence == .isSaidPlainly else { return [.undelivered(answer)] }
        // An answer that comes in is said again when it is whole.
        let turn = answer.turn.id
        guard turns[stream: turn] == nil else {
            turns[stream: turn]?.refuse()
            return []
        }
        return [.sayPlainly(answer)]
    }

    /// Says an answer once more, without the codes that the channel seems to refuse (mode +c and the like: servers have
    /// the same numeric, 404, for all that cannot be said).
    func sayPlainly(_ spoken: Spoken) async {
        let turn = spoken.turn
        guard let key = key(of: turn), answers.claim(spoken.exchange, at: key) else { return }
        turns.interruptDelivery(of: turn.id)
        // What is refused meanwhile are lines that were on their way.
        try? await time.sleep(Self.refusalsLast)
        answers.forget(spoken.exchange, at: key)
        do {
            guard let answer = try await store.unread(of: turn.account.id, number: spoken.number) else { return }
            let completion = Completion(text: answer.answer, isCut: answer.isCut)
            let passage = await passage(completion, turn, spoken.exchange, spoken.number, after: nil)
            try await store.note(passage.progress, of: spoken.exchange)
            await say(passage, turn, spoken.exchange, spoken.number)
        } catch {
            log.storeFailed(error, during: "saying an answer without formatting", of: turn.account.name)
        }
    }

    private static let refusalsLast: Duration = .seconds(2)

    func render(_ completion: Completion, _ turn: Turn) -> Rendition {
        Rendition(completion.text, isCut: completion.isCut, format: format(of: turn))
    }

    /// Where to read an answer that was just said, or the answer itself: a third "yes" takes fewer words.
    func shorter(_ answer: Rendition, _ number: Int, _ turn: Turn) -> Rendition {
        let pointer = Rendition(phrase: Phrases.sameAgain(number, ownNick(on: turn.speaker.connection)))
        return pointer.plain.utf8.count < answer.plain.utf8.count ? pointer : answer
    }

    /// Says an answer that is stored; of one that was said while it came in, what is left.
    func say(
        _ passage: Passage, _ turn: Turn, _ exchange: ExchangeID, _ number: Int, after streamed: Streamed? = nil
    ) async {
        let rest = passage.rendition
        let spoken = Spoken(exchange: exchange, number: number, turn: turn, start: rest.start)
        if let streamed, streamed.isRefused || isRefused(spoken) {
            return await isRefusedFormatted(spoken) ? sayPlainly(spoken) : undelivered(spoken)
        }
        let goesOn = streamed.map { self.goesOn($0, spoken) } ?? false
        // The asker may have changed nick, or gone, since it was stored.
        guard
            let utterance = utterance(
                of: rest, turn, passage.maxLines, alsoNaming: passage.named, isAddressed: !goesOn),
            let reach = passage.reach
        else { return await undelivered(spoken) }
        begin(spoken, utterance)
        let clearance = clearance(of: utterance, rest, reach, exchange)
        let delivery = rest.lines.isEmpty ? .sent : await speak(utterance, turn.id, by: clearance)
        let key = SpokenKey(connection: utterance.connection, target: utterance.target)
        if case .undelivered(.refused(let reason)) = delivery, !turns.isStopped(turn.id) {
            await perform(refused(exchange, at: key, reason))
            return answers.end(exchange, at: key, now: time.now())
        }
        answers.end(exchange, at: key, now: time.now())
        roster.takeAnswer(to: turn.visit, at: time.now())
        guard case .undelivered(let reason) = delivery else { return }
        // What its asker did not want to hear is not kept for them; of what the network refused somebody else takes care.
        if turns.isStopped(turn.id) { return await note(nil, of: exchange) }
        if isRefused(spoken) { return }
        logUndelivered(spoken, "\(reason)")
        await undelivered(spoken)
    }

    /// The answer as it would be said now; nil where nobody is there for whom it is. What was said of it before named
    /// these members.
    ///
    /// In a channel its first line says for whom it is: a nick before each would ring as often, and says nothing new.
    func utterance(
        of rendition: Rendition, _ turn: Turn, _ maxLines: Int, alsoNaming named: Set<Nick> = [],
        isAddressed: Bool = true
    ) -> Utterance? {
        guard let target = target(of: turn) else { return nil }
        let connection = turn.speaker.connection
        let nick = turn.place.relayed ?? (roster.visit(turn.visit)?.nick ?? turn.speaker.nick).spelling
        return Utterance(
            on: connection, to: target, at: target.channel == nil ? roster.visit(turn.visit)?.person?.address : nil,
            form: .message,
            address: isAddressed && target.channel != nil ? "\(nick): " : "", prefix: mark(on: connection),
            lines: withoutRollCall(rendition, turn, named), code: rendition.codeLines,
            isFormatted: rendition.format == .irc, maxLines: maxLines,
            continuation: Phrases.more(ownNick(on: connection)))
    }

    /// Whether what is said next of an answer that comes in follows on what was said of it: something was, and no other
    /// answer was begun there since, or is coming in there too.
    func goesOn(_ streamed: Streamed, _ spoken: Spoken) -> Bool {
        guard streamed.said > 0, let key = key(of: spoken.turn) else { return false }
        return answers.isAlone(spoken.exchange, at: key)
    }

    func mark(on connection: ConnectionID) -> String { settings.marks[connection.network].map { $0 + " " } ?? "" }

    /// The rules of the channel that a turn is in; nil in private.
    func rules(of turn: Turn) -> ChannelRules? {
        turn.place.channel.flatMap { rules(for: $0, on: turn.speaker.connection) }
    }

    func rules(for channel: ChannelName, on connection: ConnectionID) -> ChannelRules? {
        settings.rules(
            for: configuredName(of: channel, on: connection), on: connection.network, mapping(of: connection))
    }

    func speak(_ utterance: Utterance, _ turn: TurnID, by clearance: Clearance) async -> Delivery {
        guard !turns.isStopped(turn) else { return .undelivered(.discarded) }
        // At once, so that the link knows what the bot had seen by now.
        let executor = Task.executorPreference
        let task = Task.immediate(executorPreference: executor) { await link.speak(utterance, by: clearance) }
        turns.beginDelivery(of: turn) { task.cancel() }
        defer { turns.endDelivery(of: turn) }
        return await task.value
    }

    /// An answer is being said from now on, if it was not already.
    func begin(_ spoken: Spoken, _ utterance: Utterance) {
        let key = SpokenKey(connection: utterance.connection, target: utterance.target)
        let isFormatted = utterance.isFormatted && utterance.lines.contains { FormattingCode.stripped($0) != $0 }
        answers.begin(spoken, at: key, isFormatted: isFormatted)
    }

    private func isRefused(_ spoken: Spoken) -> Bool {
        key(of: spoken.turn).map { answers.isRefused(spoken.exchange, at: $0) } ?? false
    }

    private func isRefusedFormatted(_ spoken: Spoken) -> Bool {
        key(of: spoken.turn).map { answers.isRefusedFormatted(spoken.exchange, at: $0) } ?? false
    }

    /// Where the answer is said; nil where nobody is there for whom it is.
    func key(of turn: Turn) -> SpokenKey? {
        target(of: turn).map { SpokenKey(connection: turn.speaker.connection, target: $0) }
    }

    /// Where the answer goes. A channel hears it even when the asker has gone, and not while it is silenced; in private,
    /// only the same person hears it, still logged in to the same account, under whatever nick.
    func target(of turn: Turn) -> Target? {
        if let channel = turn.place.channel, isQuiet(channel, on: turn.speaker.connection) { return nil }
        switch turn.place {
        case .channel(let channel), .relayed(_, let channel): return .channel(channel)
        case .ranks(let mark, let channel): return .ranks(mark, channel)
        case .direct: return isThere(turn) ? roster.visit(turn.visit).map { .nick($0.nick) } : nil
        }
    }

    private func isThere(_ turn: Turn) -> Bool {
        roster.login(of: turn.visit, now: time.now())?.account.id == turn.account.id
    }

    func logUndelivered(_ spoken: Spoken, _ reason: String) {
        log.warning(
            "An answer was not delivered",
            [
                "network": spoken.turn.speaker.connection.network, "account": spoken.turn.account.name,
                "exchange": spoken.exchange.value, "reason": reason,
            ])
    }

    func undelivered(_ spoken: Spoken) async {
        do {
            // Refused and given up: one and the same, told once.
            guard try await store.markUndelivered(spoken.exchange, from: spoken.start) else { return }
        } catch {
            log.storeFailed(error, during: "marking an answer undelivered", of: spoken.turn.account.name)
        }
        await tell(Phrases.undelivered(spoken.number, ownNick(on: spoken.turn.speaker.connection)), spoken.turn)
    }

    /// Tells the asker privately, if they are still there.
    func tell(_ lines: [String], _ turn: Turn) async {
        if turn.place.relayed != nil {
            return await perform(remark(lines, in: turn.place, on: turn.speaker.connection))
        }
        guard isThere(turn) else { return }
        await perform(notice(lines, to: .visit(turn.visit)))
    }
}
