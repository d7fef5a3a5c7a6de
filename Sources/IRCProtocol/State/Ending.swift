/// Why a connection ended, and what that means for the next one.
package struct Ending: Error, Equatable, Sendable {
    package enum Next: Equatable, Sendable {
        /// Another attempt, not sooner than this and not sooner than the backoff says.
        case retry(after: Duration)
        /// Nothing a retry mends: the network is given up. Where the bot was online before, it cannot be the
        /// configuration; then another attempt after this long.
        case stop(unlessOnlineBefore: Duration?)
        /// Another attempt at once, over TLS on this port: the server asks for it.
        case upgrade(port: Int)
    }

    /// For the operator: one line in plain words.
    package let reason: String
    package let next: Next

    package init(reason: String, next: Next) {
        self.reason = reason
        self.next = next
    }

    package static func lost(_ reason: String) -> Ending { Ending(reason: reason, next: .retry(after: .zero)) }

    package static func final(_ reason: String) -> Ending {
        Ending(reason: reason, next: .stop(unlessOnlineBefore: nil))
    }
}

extension Ending {
    /// What a line of the server means that ends connections; nil for every other line.
    ///
    /// The text decides, for ERROR has no code: a throttled client must stay away a minute, and one that is banned must
    /// not knock again soon, or the ban grows.
    package init?(_ message: IRCMessage, ownNick: String) {
        let words = message.last ?? ""
        switch message.command {
        case "464":
            self = .final("the server password is wrong: \(words)")
        case "463", "465", "466":
            self = Ending(reason: "the server refuses this host: \(words)", next: Self.banned)
        case "KILL" where message[0] == ownNick:
            self = Ending(reason: "killed by \(message.nick ?? "the server"): \(words)", next: Self.killed)
        case "ERROR":
            self = Ending(reason: "closed by the server: \(words)", next: ErrorText(words).next)
        default: return nil
        }
    }

    /// What comes of a refusal by numeric once the ERROR behind it has told more: for how long, for instance.
    package func explained(by error: Ending) -> Ending {
        let next: Next =
            switch error.next {
            case .retry(let after) where after > .zero: error.next
            default: self.next
            }
        return Ending(reason: "\(reason); \(error.reason)", next: next)
    }

    fileprivate static let banned = Next.stop(unlessOnlineBefore: .seconds(1800))
    fileprivate static let killed = Next.retry(after: .seconds(300))
}

/// The text of an ERROR, as the ircds in use write it: `Closing Link: nick[host] (reason)` and its like.
private struct ErrorText {
    private let reason: String
    /// Its words, each with the `-` and `:` inside, as in `k-lined`.
    private let words: [Substring]

    init(_ text: String) {
        reason = Self.reason(in: text.lowercased())
        words = reason.split { !$0.isLetter && $0 != "-" && $0 != ":" }
    }

    /// In this order: a ban for connecting too fast names both, and a kill may be for a ban.
    var next: Ending.Next {
        let isCrowded = holds([
            "throttl", "too fast", "too many", "too quick", "reconnecting", "session limit", "connection limit",
            "no more connections", "is full", "server full",
        ])
        if holds(["password"]), holds(["bad ", "invalid ", "incorrect", "wrong ", "mismatch", "required"]) {
            return .stop(unlessOnlineBefore: nil)
        }
        if holds(["sasl"]) { return .stop(unlessOnlineBefore: nil) }
        if isBan { return isCrowded ? .retry(after: .seconds(600)) : Ending.banned }
        if holds(["collision"]) { return .retry(after: .seconds(60)) }
        if holds(["killed"]) { return Ending.killed }
        if isCrowded { return .retry(after: .seconds(60)) }
        return isRefusal ? Ending.banned : .retry(after: .zero)
    }

    /// K-line, G-line, Z-line, D-line and X-line in every spelling, AKILL, and lists of open proxies.
    private var isBan: Bool {
        let isLine = words.contains { word in
            guard let letter = word.first, "kgzdx".contains(letter) else { return false }
            let rest = word.dropFirst()
            return rest.hasPrefix("line") || rest.hasPrefix("-line") || rest.hasPrefix(":line")
        }
        return isLine || words.contains { $0.hasPrefix("akill") || $0.hasPrefix("autokill") || $0 == "ban" }
            || holds(["banned", "dnsbl", "blacklist", "blocklist", "open proxy", "listed in"])
    }

    /// The server takes clients like this one not at all, or not this way.
    private var isRefusal: Bool {
        holds([
            "access denied", "not authori", "unauthori", "no authori", "not allowed", "not permitted", "insecure",
            "use tls", "use ssl", "using tls", "using ssl", "identd",
        ])
    }

    private func holds(_ signs: [String]) -> Bool { signs.contains { reason.contains($0) } }

    /// Without the nick and host in front: `banned-bot[kline.example.org]` is nobody's ban.
    private static func reason(in text: String) -> String {
        guard text.hasPrefix("closing link:") else { return text }
        let rest = text.dropFirst("closing link:".count).drop { $0 == " " }
        let behind = rest.drop { $0 != " " }.drop { $0 == " " }
        return behind.hasPrefix("(") || behind.hasPrefix("[") ? String(behind) : text
    }
}
