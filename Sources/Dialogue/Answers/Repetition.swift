import Domain
import Runtime

/// What was said last in a place, to notice when it is the same again and again: of a model that is stuck, or of two bots
/// that talk to each other.
struct Repetition: Sendable {
    /// Whoever hears it again after this long has not got it before their eyes any more.
    static let memory: Duration = .seconds(600)
    /// Of a long answer no more is kept, in characters: there is one for each place where people ask.
    private static let kept = 300

    private var hash: Int?
    private var beginning = ""
    private var exchange: ExchangeID?
    private var count = 0
    private(set) var at: Duration = .zero

    /// Whether what begins like this may become the same once too often.
    func mayRepeat(_ text: String, most: Int, now: Duration) -> Bool {
        let isLikely = beginning.hasPrefix(text) || (beginning.count == Self.kept && text.hasPrefix(beginning))
        return isLikely && count >= most && now - at < Self.memory
    }

    /// Takes note of the answer of an exchange; true where it is the same once too often.
    mutating func note(_ answer: String, of exchange: ExchangeID, most: Int, now: Duration) -> Bool {
        guard exchange != self.exchange else { return count > most }
        let isSame = answer.hashValue == hash && now - at < Self.memory
        count = isSame ? count + 1 : 1
        hash = answer.hashValue
        beginning = String(answer.prefix(Self.kept))
        self.exchange = exchange
        at = now
        return count > most
    }
}

extension Bot {
    /// Whether an answer, which is about to be said, is the same as the last ones in its place.
    func noteRepetition(_ answer: String, _ turn: Turn, _ exchange: ExchangeID) -> Bool {
        guard let most = settings.maxRepeats, let key = key(of: turn) else { return false }
        return answers.noteRepetition(answer, of: exchange, at: key, max: most, now: time.now())
    }

    func mayRepeat(_ beginning: String, _ turn: Turn) -> Bool {
        guard let most = settings.maxRepeats, let key = key(of: turn) else { return false }
        return answers.mayRepeat(beginning, at: key, max: most, now: time.now())
    }
}
