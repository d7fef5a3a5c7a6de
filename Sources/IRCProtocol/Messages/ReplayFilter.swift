package import Domain

/// Tells what people say now from what a server or bouncer plays back: nobody is answered to what was said an hour ago.
///
/// Three signs, none of them a clock of ours: the line belongs to a batch; a bouncer's marks stand around or in it; or, between
/// the bot's coming and the first line of now, its server-time is well before that of the line by which the bot came. Once
/// somebody spoke, or after a while, lines are live whatever time they carry: servers' clocks step as ours do. Who is there, and who they
/// are, is only ever told by the order of the wire; of that only what stands in a batch of history is past.
///
/// A value; times are those of one monotonic clock. https://ircv3.net/specs/extensions/batch,
/// https://ircv3.net/specs/extensions/server-time and https://wiki.znc.in/Playback
package struct ReplayFilter: Sendable {
    private enum Batch { case history, other }

    /// What was said this many milliseconds before the bot came is played back: servers of one network differ by less.
    package static let margin: Int64 = 10_000
    /// For so long after the bot came; servers and bouncers play back at once.
    package static let window = Duration.seconds(30)
    /// A server that opens batches and never closes them must not fill the memory; the oldest makes room.
    package static let maxOpen = 64

    private var open: [String: Batch] = [:]
    /// Their references, the oldest first.
    private var order: [String] = []
    /// Where a bouncer is playing back, by its marks, and until when that is believed without the closing one.
    private var playing: [String: Duration] = [:]
    /// The server's own time of when the bot came, in milliseconds.
    private var cameAt: Int64?
    private var windowEnd = Duration.zero

    package init() {}

    /// Takes the line by which the bot came: the welcome, or its own JOIN.
    package mutating func came(by message: IRCMessage, at now: Duration) {
        if let time = Self.time(of: message) {
            cameAt = time
        } else if now >= windowEnd {
            cameAt = nil
        }
        windowEnd = now + Self.window
    }

    /// Takes a BATCH line.
    package mutating func batch(_ message: IRCMessage) {
        guard let reference = message[0], let sign = reference.first else { return }
        let name = String(reference.dropFirst())
        guard sign == "+" || open[name] != nil else { return }
        order.removeAll { $0 == name }
        guard sign == "+" else { return open[name] = nil }
        if open.count >= Self.maxOpen, open[name] == nil { open[order.removeFirst()] = nil }
        open[name] = isPast(message) || Self.isHistory(message[1] ?? "") ? .history : .other
        order.append(name)
    }

    /// Whether a line is told of the past: part of a batch of history, however deep in it.
    package func isPast(_ message: IRCMessage) -> Bool {
        guard !open.isEmpty, let batch = message.tag("batch") else { return false }
        return open[batch] == .history
    }

    /// Takes a line that somebody's coming, going or speaking now has brought: whatever was to be played back was so before.
    package mutating func takeLive(_ message: IRCMessage, at now: Duration) {
        guard now < windowEnd, message.tag("batch") == nil, let cameAt, let time = Self.time(of: message) else {
            return
        }
        if cameAt - time <= Self.margin { windowEnd = now }
    }

    /// Whether what somebody said was said before, or by nobody: no batch has anything that a person says now, but for those
    /// that are one message (`MultilineMessages`).
    package func isPlayedBack(_ message: IRCMessage, at now: Duration) -> Bool {
        if message.tag("batch") != nil || isMarked(message, at: now) { return true }
        guard now < windowEnd else { return false }
        if Self.isStamped(message.raw(1) ?? []) { return true }
        guard let cameAt, let time = Self.time(of: message) else { return false }
        return cameAt - time > Self.margin
    }

    /// Whether lines of now have to be told from others by more than their batch and text.
    package func isReplaying(at now: Duration) -> Bool { !playing.isEmpty || cameAt != nil && now < windowEnd }

    /// Takes a line of a bouncer's own, by whose marks it says where it begins and ends to play back; false for others.
    package mutating func mark(_ message: IRCMessage, at now: Duration) -> Bool {
        guard message.prefix == "***!znc@znc.in", message.command == "PRIVMSG", let target = message[0] else {
            return false
        }
        playing = playing.filter { $0.value > now }
        // "Buffer Playback..." and "Playback Complete.", in the language of its user.
        if message.last?.hasSuffix("...") == true {
            if playing.count < Self.maxOpen { playing[target] = now + Self.window }
        } else {
            playing[target] = nil
        }
        return true
    }

    private func isMarked(_ message: IRCMessage, at now: Duration) -> Bool {
        guard !playing.isEmpty, let target = message[0], let end = playing[target] else { return false }
        return now < end
    }

    private static func isHistory(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.contains("history") || type.contains("playback")
    }

    private static func time(of message: IRCMessage) -> Int64? {
        message.tag("time").flatMap(Timestamp.init(serverTime:))?.milliseconds
    }

    /// `[23:59:59] ` in front, as bouncers have it for clients that know no server-time.
    private static func isStamped(_ text: ArraySlice<UInt8>) -> Bool {
        let form = Array("[00:00:00] ".utf8)
        guard text.count > form.count else { return false }
        return zip(text, form).allSatisfy { byte, sign in
            sign == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sign
        }
    }
}

extension Timestamp {
    /// From `2026-11-30T04:12:07.250Z`, the only form that server-time has.
    package init?(serverTime text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            range.reduce(Int?(0)) { sum, index in
                guard let sum, (0x30...0x39).contains(bytes[index]) else { return nil }
                return sum * 10 + Int(bytes[index] - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        let fraction = bytes.count >= 24 ? number(20..<23) ?? 0 : 0
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: fraction)
    }
}
