import Domain
import IRCProtocol
import Runtime

/// What the server says about the bot's own lines: that they arrived, that they did not, and that there are too many.
extension Relay {
    /// Numerics that may say no to something said; `nick target … :reason`.
    static let refusals: Set<Int> = [
        401, 403, 404, 405, 407, 408, 413, 414, 415, 437, 439, 442, 470, 471, 473, 474, 475, 476, 477, 479, 480, 486,
        489, 492, 494, 531, 707, 716,
    ]

    /// Takes what answers a labelled line of the bot; false for any other line.
    func isAnswerToOwn(_ message: IRCMessage) -> Bool {
        guard outbox.isProofOffered, let (label, isEnd) = answers.label(of: message) else { return false }
        heedPace(message)
        if isError(message) {
            let reason = message.last ?? message.command
            log.info("refused", ["network": settings.name, "answer": message.command, "reason": reason])
            outbox.refuse(label, reason)
            if message[0]?.uppercased() == "BATCH" { giveMultilineUp(message) }
        } else if isEnd {
            outbox.prove(label)
        }
        return true
    }

    private func isError(_ message: IRCMessage) -> Bool {
        guard let numeric = Int(message.command) else { return message.command == "FAIL" }
        return 400...599 ~= numeric || 900...999 ~= numeric || Self.refusals.contains(numeric)
    }

    /// Any error about a channel may be the answer to a JOIN: servers have numbers of their own for that.
    func isRefusal(_ message: IRCMessage) -> Bool {
        guard stage == .online, let numeric = Int(message.command), message.count > 1 else { return false }
        return Self.refusals.contains(numeric) || isError(message) && support.channel(of: message[1] ?? "") != nil
    }

    /// A standard reply, `FAIL command code [context …] :words`. Where its context names no channel it is about what was
    /// said last: nothing else was asked of the server in between.
    /// https://ircv3.net/specs/extensions/standard-replies
    func failed(_ message: IRCMessage) {
        guard stage == .online, message.count > 2, let command = message[0]?.uppercased() else { return }
        heedPace(message)
        if command == "BATCH" { return failedBatch(message) }
        guard command == "PRIVMSG" || command == "NOTICE" else { return }
        let context = message.params.dropFirst(2).dropLast()
        let named = context.first { support.channel(of: $0) != nil }.map { support.target($0) }
        guard let target = named ?? outbox.lastTarget else { return }
        flushLibrary()
        emit(.undeliverable(target, reason: message.last ?? ""))
    }

    /// Speaks more slowly where the server says that this is too fast for it.
    func heedPace(_ message: IRCMessage) {
        guard stage == .online, PaceAdvice.isTooFast(message) else { return }
        let words = message.last ?? ""
        log.warning("the server finds the bot too fast", ["network": settings.name, "reason": words])
        outbox.slowDown(for: PaceAdvice.wait(in: words))
    }
}

/// What servers say to a client that is too fast for them.
enum PaceAdvice {
    /// The longest silence a server can ask for.
    static let maxWait = Duration.seconds(120)

    /// Numerics and standard replies for that, and notices of the server itself that speak of it.
    static func isTooFast(_ message: IRCMessage) -> Bool {
        switch message.command {
        case "263", "439", "707": true
        case "FAIL": message[1]?.hasPrefix("RATE_LIMIT") ?? false
        case "NOTICE":
            if message.isFromPerson { false } else { speaksOfIt(message.last?.lowercased() ?? "") }
        default: false
        }
    }

    private static func speaksOfIt(_ words: String) -> Bool {
        ["flood", "throttl", "too fast", "too quickly", "slow down", "rate limit", "rate-limit"].contains {
            words.contains($0)
        }
    }

    /// `Please wait 30 seconds`, as far as servers agree on it: the number before that word.
    static func wait(in text: String) -> Duration {
        let words = text.split(whereSeparator: { " .,()".contains($0) })
        guard let place = words.firstIndex(where: { $0.lowercased().hasPrefix("sec") }), place > 0,
            let seconds = Int(words[place - 1]), seconds > 0
        else { return .zero }
        return min(.seconds(min(seconds, 3600)), maxWait)
    }
}
