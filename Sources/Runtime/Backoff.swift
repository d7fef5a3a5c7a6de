/// How long to wait before trying again: a short first wait, then doubling to a longest one, each with jitter.
///
/// A plain value: the caller says when an attempt began to hold (`reset`), and brings the randomness.
public struct Backoff: Sendable {
    public let first: Duration
    public let second: Duration
    public let longest: Duration
    /// The part of a wait that chance may add or take, 0.3 for ± 30 %.
    public let jitter: Double
    private var attempts = 0

    public init(first: Duration, second: Duration, longest: Duration, jitter: Double) {
        self.first = first
        self.second = second
        self.longest = longest
        self.jitter = jitter
    }

    /// The next wait; `chance` is in 0...1.
    public mutating func next(chance: Double = .random(in: 0...1)) -> Duration {
        let plain: Duration
        switch attempts {
        case 0: plain = first
        case 1...20: plain = min(second * (1 << (attempts - 1)), longest)
        default: plain = longest
        }
        attempts += 1
        return plain * (1 + jitter * (2 * chance - 1))
    }

    /// What was tried has held: the next wait is the first one again.
    public mutating func reset() { attempts = 0 }
}
