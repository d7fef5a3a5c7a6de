import Domain

/// Tells what happens now from what a server or bouncer plays back: nobody is answered to what was said an hour ago.
///
/// Two signs: the line belongs to a batch that is no live one, or its server-time is more than a minute past. The
/// server's clock may differ from ours, so that is measured on the welcome line.
/// https://ircv3.net/specs/extensions/batch and https://ircv3.net/specs/extensions/server-time
struct ReplayFilter: Sendable {
    enum Verdict: Equatable, Sendable {
        case live
        /// Part of a netsplit or netjoin: true about who is there, but nothing anybody said.
        case membership
        case replay
    }

    static let oldest: Int64 = 60_000
    /// A server that opens batches and never closes them must not fill the memory.
    static let mostOpen = 64

    private var open: [String: Verdict] = [:]
    /// Milliseconds by which the server's clock is ahead of ours.
    private var skew: Int64 = 0

    /// Compares clocks on a line known to be fresh.
    mutating func calibrate(_ message: IRCMessage, wall: Timestamp) {
        guard let time = message.tag("time").flatMap(Timestamp.init(serverTime:)) else { return }
        skew = time.milliseconds - wall.milliseconds
    }

    /// Takes a BATCH line.
    mutating func batch(_ message: IRCMessage) {
        guard let reference = message[0], let sign = reference.first else { return }
        let name = String(reference.dropFirst())
        if sign == "-" {
            open[name] = nil
        } else if sign == "+", open.count < Self.mostOpen {
            let outer = message.tag("batch").flatMap { open[$0] }
            let isSplit = message[1] == "netsplit" || message[1] == "netjoin"
            open[name] = outer == .replay ? .replay : isSplit ? .membership : .replay
        }
    }

    func verdict(_ message: IRCMessage, wall: @autoclosure () -> Timestamp) -> Verdict {
        if let batch = message.tag("batch") { return open[batch] ?? .replay }
        guard let time = message.tag("time").flatMap(Timestamp.init(serverTime:)) else { return .live }
        return wall().milliseconds + skew - time.milliseconds > Self.oldest ? .replay : .live
    }
}

extension Timestamp {
    /// From `2026-11-30T04:12:07.250Z`, the only form that server-time has.
    init?(serverTime text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            range.reduce(Int64?(0)) { sum, index in
                guard let sum, (0x30...0x39).contains(bytes[index]) else { return nil }
                return sum * 10 + Int64(bytes[index] - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month)
        else { return nil }
        let fraction = bytes.count >= 24 ? number(20..<23) ?? 0 : 0
        // Days by the civil calendar, the year taken to begin in March so that a leap day ends it.
        let marchYear = month <= 2 ? year - 1 : year
        let marchMonth = (month + 9) % 12
        let yearDays = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400
        let days = yearDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
        self.init(milliseconds: ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction)
    }
}
