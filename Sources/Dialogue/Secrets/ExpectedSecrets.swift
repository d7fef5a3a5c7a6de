import Domain

/// Who said `login` in a channel and nothing behind it, lately: their next line there may be nothing but the password.
///
/// A value without clocks of its own. Invariant: no more people are remembered than `most`, the latest ones.
struct ExpectedSecrets: Sendable {
    /// For so long the next line is taken for a password.
    static let patience = Duration.seconds(60)
    static let most = 64
    /// More words than these are a sentence.
    private static let maxWords = 2

    private struct Expected {
        let lane: Lane
        let channel: ChannelName
        let until: Duration
    }

    /// The latest last.
    private var expected: [Expected] = []

    mutating func expect(from lane: Lane, in channel: ChannelName, at now: Duration) {
        expected.removeAll { $0.lane == lane || $0.until <= now }
        if expected.count == Self.most { expected.removeFirst() }
        expected.append(Expected(lane: lane, channel: channel, until: now + Self.patience))
    }

    /// Whether this line is one; whatever it is, none is expected after it.
    mutating func takes(_ text: String, from lane: Lane, in channel: ChannelName, at now: Duration) -> Bool {
        guard let index = expected.firstIndex(where: { $0.lane == lane && $0.channel == channel }) else { return false }
        let isInTime = now < expected.remove(at: index).until
        return isInTime && (1...Self.maxWords).contains(TypedLine.words(of: text).count)
    }
}
