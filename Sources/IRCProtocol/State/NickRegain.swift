package import Domain
import Runtime

/// How the bot comes back to the nick it is to have while somebody else has it.
///
/// It asks whether the nick is free, ever more rarely, and takes it when it is, or when its holder was seen to go. Where the
/// server offers MONITOR it tells by itself. Who takes the nick from the bot by force, services or an operator, means it:
/// then it is left alone for a while, and on this connection for good when that happens again within an hour.
/// Times are those of one monotonic clock.
package struct NickRegain: Sendable {
    /// After the nick was taken away.
    package static let respite = Duration.seconds(600)
    private static let memory = Duration.seconds(3600)
    /// A server's word on an attempt takes less.
    private static let answer = Duration.seconds(10)

    package let wanted: String
    private var backoff = Backoff(
        first: .seconds(15), second: .seconds(30), longest: .seconds(600), jitter: 0.3)
    private var isHeld = false
    private var isGivenUp = false
    private var lostAt: Duration?
    /// Not sooner than this, whatever is seen.
    private var notBefore = Duration.zero
    private var triedAt: Duration?
    /// When to ask next whether the nick is free; nil where there is no need.
    package private(set) var next: Duration?

    package init(wanted: String) { self.wanted = wanted }

    /// Takes each nick that the bot turns out to have. A server may have cut the wanted one to its NICKLEN: then it is had.
    package mutating func has(_ nick: Nick, nickLength: Int, at now: Duration, _ mapping: CaseMapping) {
        let isCut = nick.spelling.utf8.count >= nickLength && Nick(cut(nickLength), mapping) == nick
        if isCut || Nick(wanted, mapping) == nick {
            isHeld = true
            next = nil
            backoff.reset()
        } else if isHeld {
            isHeld = false
            if let lostAt, now - lostAt < Self.memory { isGivenUp = true }
            lostAt = now
            notBefore = now + Self.respite
            next = isGivenUp ? nil : notBefore
        } else if next == nil, !isGivenUp {
            next = now + backoff.next()
        }
    }

    private func cut(_ length: Int) -> String { String(decoding: wanted.utf8.prefix(length), as: UTF8.self) }

    /// Whether to ask now if the nick is free; the time to ask again is then set.
    package mutating func beginAsking(at now: Duration) -> Bool {
        guard let next, next <= now else { return false }
        self.next = now + backoff.next()
        return true
    }

    /// The nick is free, as far as anything shows: whether to take it now.
    package mutating func mayTake(at now: Duration) -> Bool {
        guard !isHeld, !isGivenUp, now >= notBefore, now >= (triedAt ?? now - Self.answer) + Self.answer else {
            return false
        }
        triedAt = now
        return true
    }

    /// Whether this is the nick that the bot is to have and has not.
    package func isWanted(_ nick: String, _ mapping: CaseMapping) -> Bool {
        !isHeld && Nick(wanted, mapping) == Nick(nick, mapping)
    }
}
