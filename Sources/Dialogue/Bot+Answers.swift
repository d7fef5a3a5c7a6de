import Domain
import Runtime
import Storage

/// A target on a connection: where an answer was said.
struct SpokenKey: Hashable {
    let connection: ConnectionID
    let target: Target
}

/// Where answers go, and what happens when they do not arrive.
extension Bot {
    /// The server did not take something said there: the answer that is just being said, else the last one, if it was
    /// lately. Of several refused lines of one answer only the first matters.
    func refused(_ target: Target, _ reason: String, on connection: ConnectionID) -> [Work] {
        let place = target.channel.map { target.moved(to: configuredName(of: $0, on: connection)) } ?? target
        let key = SpokenKey(connection: connection, target: place)
        guard let answers = spoken[key], let last = answers.indices.last else { return [] }
        let index = answers.firstIndex { $0.saidAt == nil } ?? last
        let isLate = answers[index].saidAt.map { time.now() - $0 > .seconds(60) } ?? false
        return isLate ? [] : refused(answers[index].exchange, at: key, reason)
    }

    /// The server did not take this answer.
    func refused(_ exchange: ExchangeID, at key: SpokenKey, _ reason: String) -> [Work] {
        guard let answers = spoken[key], let index = answers.firstIndex(where: { $0.exchange == exchange }),
            !answers[index].isRefused
        else { return [] }
        spoken[key]?[index].isRefused = true
        logUndelivered(answers[index], reason)
        guard answers[index].isFormatted, !plainTargets.contains(key) else { return [.undelivered(answers[index])] }
        plainTargets = plainTargets.filter {
            $0.connection.network != key.connection.network || $0.connection == key.connection
        }
        plainTargets.insert(key)
        // An answer that comes in is said again when it is whole.
        let turn = answers[index].turn.id
        guard turns[stream: turn] == nil else {
            turns[stream: turn]?.refuse()
            return []
        }
        return [.sayPlainly(answers[index])]
    }

    /// Says an answer once more, without the codes that the channel seems to refuse (mode +c and the like: servers have
    /// the same numeric, 404, for all that cannot be said).
    func sayPlainly(_ spoken: Spoken) async {
        let turn = spoken.turn
        guard let key = key(of: turn),
            let index = self.spoken[key]?.firstIndex(where: { $0.exchange == spoken.exchange }),
            self.spoken[key]?[index].isSaidAgain == false
        else { return }
        self.spoken[key]?[index].isSaidAgain = true
        turns.interruptDelivery(of: turn.id)
        // What is refused meanwhile are lines that were on their way.
        try? await time.sleep(Self.refusalsLast)
        self.spoken[key]?.removeAll { $0.exchange == spoken.exchange }
        do {
            guard let answer = try await store.unread(of: turn.account.id, number: spoken.number) else { return }
            let completion = Completion(text: answer.answer, isCut: answer.isCut)
            let passage = await passage(completion, turn, spoken.exchange, spoken.number, after: nil)
            try await store.note(passage.progress, of: spoken.exchange)
            await say(passage, turn, spoken.exchange, spoken.number)
        } catch {
            logStoreFailure(error, during: "saying an answer without formatting", of: turn.account.name)
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
            return noteSaid(exchange, key)
        }
        noteSaid(exchange, key)
        roster.isAnswered(turn.visit, at: time.now())
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
        guard streamed.said > 0, let answers = key(of: spoken.turn).flatMap({ self.spoken[$0] }) else { return false }
        return answers.last?.exchange == spoken.exchange
            && answers.allSatisfy { $0.exchange == spoken.exchange || $0.saidAt != nil }
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
        if let index = self.spoken[key]?.firstIndex(where: { $0.exchange == spoken.exchange }) {
            if isFormatted { self.spoken[key]?[index].isFormatted = true }
            self.spoken[key]?[index].start = spoken.start
            return
        }
        var begun = spoken
        begun.isFormatted = isFormatted
        self.spoken[key, default: []].append(begun)
    }

    private func isRefused(_ spoken: Spoken) -> Bool { entry(of: spoken)?.isRefused ?? false }

    /// Refused where nothing but its formatting can be the reason.
    private func isRefusedFormatted(_ spoken: Spoken) -> Bool {
        guard let entry = entry(of: spoken), entry.isRefused, let key = key(of: spoken.turn) else { return false }
        return entry.isFormatted && plainTargets.contains(key)
    }

    private func entry(of spoken: Spoken) -> Spoken? {
        key(of: spoken.turn).flatMap { self.spoken[$0] }?.first { $0.exchange == spoken.exchange }
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

    /// Of the answers that are over, only the last is kept, and that for a while.
    private func noteSaid(_ exchange: ExchangeID, _ key: SpokenKey) {
        guard let index = spoken[key]?.firstIndex(where: { $0.exchange == exchange }) else { return }
        spoken[key]?[index].saidAt = time.now()
        let lastSaid = spoken[key]?.last { $0.saidAt != nil }?.exchange
        spoken[key]?.removeAll { $0.saidAt != nil && $0.exchange != lastSaid }
        guard spoken.count > 1024 else { return }
        spoken = spoken.filter { $0.value.contains { $0.saidAt.map { time.now() - $0 < .seconds(60) } ?? true } }
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
            logStoreFailure(error, during: "marking an answer undelivered", of: spoken.turn.account.name)
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
