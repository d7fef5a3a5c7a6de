public import Domain
import Glibc

/// The clocks a room goes by, lent to it so that tests can turn them.
///
/// `now` is monotonic and for deadlines; `wall` is what people read. A struct of functions,
/// not a protocol: there is one real set.
public struct Time: Sendable {
    /// Time since some fixed moment; never goes back.
    public let now: @Sendable () -> Duration
    /// The date and time of day; may jump.
    public let wall: @Sendable () -> Timestamp
    /// Returns after this long, or throws `CancellationError` at once when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    public init(
        now: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.wall = wall
        self.sleep = sleep
    }

    /// The machine's own clocks.
    public static let system = Time(
        now: { reading(CLOCK_MONOTONIC) },
        wall: { Timestamp(milliseconds: reading(CLOCK_REALTIME).wholeMilliseconds) },
        sleep: { try await Task.sleep(for: $0) })

    private static func reading(_ clock: clockid_t) -> Duration {
        var spec = timespec()
        unsafe clock_gettime(clock, &spec)
        return .seconds(spec.tv_sec) + .nanoseconds(spec.tv_nsec)
    }
}

extension Timestamp {
    /// The moment so long afterwards, to the millisecond; the last one there is where that is beyond it.
    public static func + (moment: Timestamp, wait: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.addingSaturated(wait.wholeMilliseconds))
    }
}

extension Duration {
    /// Whole milliseconds, cut off; the most or least there are where these are more.
    public var wholeMilliseconds: Int64 {
        components.seconds.multipliedSaturated(by: 1000)
            .addingSaturated(components.attoseconds / 1_000_000_000_000_000)
    }
}
