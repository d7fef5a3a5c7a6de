/// How fast lines may go out: a bucket of `burst` lines that gains one each `interval`.
public struct Pace: Sendable {
    public let burst: Int
    public let interval: Duration

    public init(burst: Int = 4, interval: Duration = .seconds(2)) {
        self.burst = burst
        self.interval = interval
    }
}
