package import Domain

/// Messages of several lines that people are sending: each is a batch of lines, and one message when it closes.
///
/// The opening line says who sends it to whom, and carries the tags. A batch that breaks a rule (another sender or target,
/// anything but PRIVMSG in it) or a bound is no message at all: of half a message nobody knows what it was to say.
/// https://ircv3.net/specs/extensions/multiline
package struct MultilineMessages: Sendable {
    /// A server that opens batches and never closes them must not fill the memory.
    package static let maxOpen = 16
    /// Of a message, with its line ends; servers take less.
    package static let maxBytes = 40_000
    /// Of a message.
    package static let maxLines = 1000
    /// From its opening to its end; servers send it in one go.
    package static let longest = Duration.seconds(60)

    package struct Whole: Sendable {
        /// Who sent it to whom, and the tags.
        package let opening: IRCMessage
        /// The first line, for its form.
        package let first: IRCMessage
        /// None of them has a line end in it.
        package let lines: [[UInt8]]
    }

    package enum Closing: Sendable {
        case message(Whole)
        /// It broke a rule.
        case broken
        /// The line closes none of these.
        case none
    }

    fileprivate struct Open {
        let opening: IRCMessage
        let openedAt: Duration
        var first: IRCMessage?
        var lines: [[UInt8]] = []
        var bytes = 0
        var isBroken = false
    }

    private var open: [String: Open] = [:]

    package init() {}

    /// Takes the opening line of a message; false where it is none, or one too many.
    package mutating func begin(_ opening: IRCMessage, now: Duration) -> Bool {
        guard opening.count == 3, opening[1] == MultilineLimits.capability, let reference = opening[0],
            reference.first == "+", reference.utf8.count > 1
        else { return false }
        open = open.filter { now - $0.value.openedAt < Self.longest }
        guard open.count < Self.maxOpen else { return false }
        open[String(reference.dropFirst())] = Open(opening: opening, openedAt: now)
        return true
    }

    /// Takes a line that belongs to an open message; false for any other.
    package mutating func take(_ message: IRCMessage, _ mapping: CaseMapping) -> Bool {
        guard !open.isEmpty, let reference = message.tag("batch"), var entry = open[reference] else { return false }
        // Nothing else refers to it while it grows.
        open[reference] = nil
        entry.add(message, mapping)
        open[reference] = entry
        return true
    }

    /// What a BATCH line closes.
    package mutating func end(_ closing: IRCMessage, now: Duration) -> Closing {
        guard let reference = closing[0], reference.first == "-",
            let entry = open.removeValue(forKey: String(reference.dropFirst()))
        else { return .none }
        guard !entry.isBroken, let first = entry.first, now - entry.openedAt < Self.longest else { return .broken }
        return .message(Whole(opening: entry.opening, first: first, lines: entry.lines))
    }
}

extension MultilineMessages.Open {
    fileprivate mutating func add(_ message: IRCMessage, _ mapping: CaseMapping) {
        guard !isBroken, message.command == "PRIVMSG", message.count == 2, message.prefix == opening.prefix,
            let text = message.raw(1), mapping.fold(message[0] ?? "") == mapping.fold(opening[2] ?? "")
        else { return spoil() }
        if message.tag("draft/multiline-concat") != nil, !lines.isEmpty {
            lines[lines.count - 1] += text
        } else {
            lines.append(Array(text))
            bytes += 1
        }
        bytes += text.count
        if first == nil { first = message }
        if lines.count > MultilineMessages.maxLines || bytes > MultilineMessages.maxBytes { spoil() }
    }

    private mutating func spoil() {
        isBroken = true
        lines = []
    }
}
