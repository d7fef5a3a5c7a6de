import Domain
import IRCProtocol
import Runtime

/// Messages of several lines, those of people and the bot's own: <https://ircv3.net/specs/extensions/multiline>.
extension Relay {
    /// What a BATCH line opens or closes.
    func batch(_ message: IRCMessage) {
        switch multiline.end(message, now: time.now()) {
        case .message(let whole): said(whole)
        case .broken: log.info("a message of several lines is broken or too long", ["network": settings.name])
        case .none:
            let isHeard = registration.enabled.contains(MultilineLimits.capability) && isHeard(message)
            if !isHeard || !multiline.begin(message, now: time.now()) { replays.batch(message) }
        }
    }

    /// One message, as if it had come in one line. The library, which knows no such thing, sees who said it and where.
    private func said(_ whole: MultilineMessages.Whole) {
        var note = LineNote(servicesAccount: servicesAccount(of: whole.opening))
        var lines = whole.lines.map { $0[...] }
        if let request = CTCP(lines[0]) {
            guard request.command == "ACTION" else { return }
            note.isAction = true
            lines[0] = request.argument
        }
        let received = lines.map { ReceivedText($0, decoder, isFull: false) }
        note.isGarbled = received.contains { $0.isGarbled }
        let text = TextFormatting.joined(received.map(\.text))
        note.text = text
        if !text.isEmpty { feed(whole.first, note: note, text: [UInt8(ascii: "-")]) }
    }

    // MARK: The bot's own

    /// The server may have come to take such messages, or to take none, or other lengths of them.
    func useMultiline() { outbox.multiline = isMultilineRefused ? nil : registration.multiline }

    /// Who refuses one would refuse the next: from now on everything goes in lines of its own.
    func giveMultilineUp(_ message: IRCMessage) {
        guard !isMultilineRefused, !PaceAdvice.isTooFast(message) else { return }
        isMultilineRefused = true
        useMultiline()
        log.warning(
            "the server refuses messages of several lines, though it offers them",
            ["network": settings.name, "code": message[1] ?? "", "reason": message.last ?? ""])
    }

    /// `FAIL BATCH code [context …] :words` without a label.
    func failedBatch(_ message: IRCMessage) {
        // First, so that nothing more of it is said line by line.
        defer { giveMultilineUp(message) }
        guard let target = outbox.refuseBatch(message.last ?? "") else { return }
        flushLibrary()
        emit(.undeliverable(target, reason: message.last ?? ""))
    }
}
