import Domain

/// A target on a connection: where an answer was said.
struct SpokenKey: Hashable, Sendable {
    let connection: ConnectionID
    let target: Target
}

/// What is being said where, what was said there last, and what servers refused of it.
///
/// Invariant: a refusal concerns the answer that is being said there, else the one that was begun last, if that was lately,
/// and each is refused once; a formatted answer that was refused is said plainly, once, where nothing plain was refused
/// before. A value without clocks; what is over is forgotten, but for the last one of each target.
struct AnswerLog: Sendable {
    /// What follows from a refusal.
    enum Consequence: Sendable, Equatable {
        /// It did not arrive, and its asker is told.
        case isUndelivered
        /// It may have been for its formatting: from now on that place hears plain text.
        case isSaidPlainly
    }

    /// So long after its last line an answer may still turn out to be refused.
    static let refusalsCome: Duration = .seconds(60)
    /// Targets beyond which those are forgotten where nothing happened lately.
    private static let maxTargets = 1024

    private var answers: [SpokenKey: [Spoken]] = [:]
    /// Where formatting codes were refused, on connections there are.
    private var plainTargets: Set<SpokenKey> = []
    /// The answer that each target heard last.
    private var repetitions: [SpokenKey: Repetition] = [:]

    // MARK: Being said

    /// An answer is being said from now on, if it was not already; or the next piece of it.
    mutating func begin(_ spoken: Spoken, at key: SpokenKey, isFormatted: Bool) {
        if let index = index(of: spoken.exchange, at: key) {
            if isFormatted { answers[key]?[index].isFormatted = true }
            answers[key]?[index].start = spoken.start
            return
        }
        var begun = spoken
        begun.isFormatted = isFormatted
        answers[key, default: []].append(begun)
    }

    /// Its last line is written. Of the answers that are over, only the last is kept, and that for a while.
    mutating func end(_ exchange: ExchangeID, at key: SpokenKey, now: Duration) {
        guard let index = index(of: exchange, at: key) else { return }
        answers[key]?[index].saidAt = now
        let last = answers[key]?.last { $0.saidAt != nil }?.exchange
        answers[key]?.removeAll { $0.saidAt != nil && $0.exchange != last }
        guard answers.count > Self.maxTargets else { return }
        answers = answers.filter { $0.value.contains { $0.saidAt.map { now - $0 < Self.refusalsCome } ?? true } }
    }

    /// Whether it was begun there last, and no other is being said there.
    func isAlone(_ exchange: ExchangeID, at key: SpokenKey) -> Bool {
        guard let answers = answers[key], answers.last?.exchange == exchange else { return false }
        return answers.allSatisfy { $0.exchange == exchange || $0.saidAt != nil }
    }

    /// The turns whose answers are being said in a channel.
    func turns(sayingIn channel: ChannelName, on connection: ConnectionID) -> [TurnID] {
        answers.filter { $0.key.connection == connection && $0.key.target.channel == channel }
            .flatMap { $0.value.filter { $0.saidAt == nil }.map(\.turn.id) }
    }

    // MARK: Refusals

    /// The answer that a refusal is about, which did not say more than where.
    func refusable(at key: SpokenKey, now: Duration) -> ExchangeID? {
        guard let answers = answers[key], let answer = answers.first(where: { $0.saidAt == nil }) ?? answers.last else {
            return nil
        }
        let isLate = answer.saidAt.map { now - $0 > Self.refusalsCome } ?? false
        return isLate ? nil : answer.exchange
    }

    /// The server did not take this answer; nil where that is known. Of several refused lines only the first matters.
    mutating func refuse(_ exchange: ExchangeID, at key: SpokenKey) -> (answer: Spoken, consequence: Consequence)? {
        guard let index = index(of: exchange, at: key), let answer = answers[key]?[index], !answer.isRefused else {
            return nil
        }
        answers[key]?[index].isRefused = true
        guard answer.isFormatted, !plainTargets.contains(key) else { return (answer, .isUndelivered) }
        plainTargets = plainTargets.filter {
            $0.connection.network != key.connection.network || $0.connection == key.connection
        }
        plainTargets.insert(key)
        return (answer, .isSaidPlainly)
    }

    func isRefused(_ exchange: ExchangeID, at key: SpokenKey) -> Bool { answer(exchange, at: key)?.isRefused ?? false }

    /// Refused where nothing but its formatting can be the reason.
    func isRefusedFormatted(_ exchange: ExchangeID, at key: SpokenKey) -> Bool {
        guard let answer = answer(exchange, at: key), answer.isRefused else { return false }
        return answer.isFormatted && plainTargets.contains(key)
    }

    /// Whether that place refused formatting codes.
    func isPlain(_ key: SpokenKey) -> Bool { plainTargets.contains(key) }

    /// Claims an answer for being said once more, plainly; false where it was, or is unknown there.
    mutating func claim(_ exchange: ExchangeID, at key: SpokenKey) -> Bool {
        guard let index = index(of: exchange, at: key), answers[key]?[index].isSaidAgain == false else { return false }
        answers[key]?[index].isSaidAgain = true
        return true
    }

    mutating func forget(_ exchange: ExchangeID, at key: SpokenKey) {
        answers[key]?.removeAll { $0.exchange == exchange }
    }

    // MARK: Repetitions

    /// Takes note of an answer that is about to be said; true where the last ones there were the same, once too often.
    mutating func noteRepetition(
        _ text: String, of exchange: ExchangeID, at key: SpokenKey, max: Int, now: Duration
    ) -> Bool {
        if repetitions.count >= Self.maxTargets {
            repetitions = repetitions.filter { now - $0.value.at < Repetition.memory }
        }
        return repetitions[key, default: Repetition()].note(text, of: exchange, most: max, now: now)
    }

    /// Whether what begins like this may become the same once too often.
    func mayRepeat(_ beginning: String, at key: SpokenKey, max: Int, now: Duration) -> Bool {
        repetitions[key]?.mayRepeat(beginning, most: max, now: now) ?? false
    }

    // MARK: Names

    /// Makes every key again, by another casemapping; of two that became one nothing is lost.
    mutating func rekey(_ renewed: (SpokenKey) -> SpokenKey) {
        answers = Dictionary(answers.map { (renewed($0), $1) }) { one, other in
            (one + other).sorted { $0.turn.id.number < $1.turn.id.number }
        }
        plainTargets = Set(plainTargets.map(renewed))
        repetitions = Dictionary(repetitions.map { (renewed($0), $1) }) { $0.at < $1.at ? $1 : $0 }
    }

    private func index(of exchange: ExchangeID, at key: SpokenKey) -> Int? {
        answers[key]?.firstIndex { $0.exchange == exchange }
    }

    private func answer(_ exchange: ExchangeID, at key: SpokenKey) -> Spoken? {
        answers[key]?.first { $0.exchange == exchange }
    }
}
