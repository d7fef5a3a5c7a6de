/// Why a connection ended, and what that means for the next one.
struct Ending: Error, Equatable, Sendable {
    enum Next: Equatable, Sendable {
        /// Another attempt, not sooner than this and not sooner than the backoff says.
        case retry(after: Duration)
        /// Nothing a retry mends: the network is given up. Where the bot was online before, it cannot be the
        /// configuration; then another attempt after this long.
        case stop(unlessOnlineBefore: Duration?)
    }

    /// For the operator: one line in plain words.
    let reason: String
    let next: Next

    static func lost(_ reason: String) -> Ending { Ending(reason: reason, next: .retry(after: .zero)) }

    static func final(_ reason: String) -> Ending {
        Ending(reason: reason, next: .stop(unlessOnlineBefore: nil))
    }
}

extension Ending {
    /// What a line of the server means that ends connections; nil for every other line.
    ///
    /// The text decides, for ERROR has no code: a throttled client must stay away a minute, and one that is banned must
    /// not knock again soon, or the ban grows.
    init?(_ message: IRCMessage, ownNick: String) {
        let words = message.last ?? ""
        switch message.command {
        case "464":
            self = .final("the server password is wrong: \(words)")
        case "463", "465":
            self = Ending(reason: "the server refuses this host: \(words)", next: Self.banned)
        case "KILL" where message[0] == ownNick:
            self = Ending(reason: "killed by \(message.nick ?? "the server"): \(words)", next: Self.killed)
        case "ERROR":
            self = Ending(reason: "closed by the server: \(words)", next: Self.next(after: words.lowercased()))
        default: return nil
        }
    }

    private static let banned = Next.stop(unlessOnlineBefore: .seconds(1800))
    private static let killed = Next.retry(after: .seconds(300))

    private static func next(after words: String) -> Next {
        let isAny = { (signs: [String]) in signs.contains { words.contains($0) } }
        if isAny(["throttl", "too fast", "too many", "reconnecting"]) { return .retry(after: .seconds(60)) }
        if isAny(["bad password", "password mismatch", "invalid password", "access denied"]) {
            return .stop(unlessOnlineBefore: nil)
        }
        if isAny(["k-line", "k:line", "kline", "g-line", "g:line", "z-line", "z:line", "banned", "akill", "d-line"]) {
            return banned
        }
        if isAny(["killed"]) { return killed }
        return .retry(after: .zero)
    }
}
