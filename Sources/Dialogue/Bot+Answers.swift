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
        let key = SpokenKey(connection: connection, target: target)
        guard let answers = spoken[key], let last = answers.indices.last else { return [] }
        let index = answers.firstIndex { $0.saidAt == nil } ?? last
        let isLate = answers[index].saidAt.map { time.now() - $0 > .seconds(60) } ?? false
        guard !isLate, !answers[index].isRefused else { return [] }
        spoken[key]?[index].isRefused = true
        logUndelivered(answers[index], reason)
        return [.undelivered(answers[index])]
    }

    func say(_ completion: Completion, _ turn: Turn, _ exchange: ExchangeID, _ number: Int) async {
        let spoken = Spoken(exchange: exchange, number: number, turn: turn)
        let rendition = Rendition(completion.text, isCut: completion.isCut)
        guard var utterance = utterance(of: rendition, turn) else { return await undelivered(spoken) }
        do {
            try await keepRest(of: utterance, rendition, exchange)
        } catch {
            logStoreFailure(error, during: "noting how much of an answer is said", of: turn.account.name)
        }
        // The asker may have gone or changed nick meanwhile.
        guard let current = self.utterance(of: rendition, turn) else { return await undelivered(spoken) }
        utterance = current
        let key = SpokenKey(connection: utterance.connection, target: utterance.target)
        self.spoken[key, default: []].append(spoken)
        let delivery = await speak(utterance, turn.id)
        noteSaid(exchange, key)
        if case .undelivered(let reason) = delivery, !stopped.contains(turn.id) {
            logUndelivered(spoken, "\(reason)")
            await undelivered(spoken)
        }
    }

    /// The answer as it would be said now; nil where nobody is there for whom it is.
    private func utterance(of rendition: Rendition, _ turn: Turn) -> Utterance? {
        guard let target = target(of: turn) else { return nil }
        let connection = turn.speaker.connection
        let nick = roster.visit(turn.visit)?.nick ?? turn.speaker.nick
        return Utterance(
            on: connection, to: target, form: .message, prefix: "\(nick): ", lines: rendition.lines,
            maxLines: maxLines(in: turn.place, on: connection), continuation: Phrases.more(ownNick(on: connection)))
    }

    private func maxLines(in place: Place, on connection: ConnectionID) -> Int {
        guard case .channel(let channel) = place else { return settings.maxDirectLines }
        let rules = settings.rules(for: channel, on: connection.network, mapping(of: connection))
        return rules?.maxLines ?? settings.maxDirectLines
    }

    /// Stores where the rest of a long answer begins, for MORE, before the part up to there is said.
    private func keepRest(
        of utterance: Utterance, _ rendition: Rendition, _ exchange: ExchangeID
    ) async throws(StoreFailure) {
        // A line of so few bytes is one on the wire, whatever the network.
        let isShort =
            rendition.lines.count <= utterance.maxLines ?? .max
            && rendition.lines.allSatisfy { $0.utf8.count <= 100 }
        guard !isShort, let rest = await link.extent(of: utterance).rest else { return }
        try await store.note(said: rendition.offset(line: rest.line, byte: rest.byte), of: exchange)
    }

    private func speak(_ utterance: Utterance, _ turn: TurnID) async -> Delivery {
        guard !stopped.contains(turn) else { return .undelivered(.discarded) }
        // At once, so that the link knows what the bot had seen by now.
        let task = Task.immediate { await link.speak(utterance) }
        saying[turn] = task
        defer { saying[turn] = nil }
        return await task.value
    }

    /// Where the answer goes. A channel hears it even when the asker has gone; in private, only the same person hears
    /// it, still logged in to the same account, under whatever nick.
    private func target(of turn: Turn) -> Target? {
        switch turn.place {
        case .channel(let channel): return .channel(channel)
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

    private func logUndelivered(_ spoken: Spoken, _ reason: String) {
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
            guard try await store.markUndelivered(spoken.exchange) else { return }
        } catch {
            logStoreFailure(error, during: "marking an answer undelivered", of: spoken.turn.account.name)
        }
        await tell(Phrases.undelivered(spoken.number, ownNick(on: spoken.turn.speaker.connection)), spoken.turn)
    }

    /// Tells the asker privately, if they are still there.
    func tell(_ lines: [String], _ turn: Turn) async {
        guard isThere(turn), let nick = roster.visit(turn.visit)?.nick else { return }
        await perform(notice(lines, to: Lane(connection: turn.speaker.connection, nick: nick)))
    }
}
