/// How fast lines may go out on one connection.
///
/// Two buckets of time pace it. The first lets `burst` lines go at once and then one each `interval`; a line over 200 bytes
/// counts as two. The second bounds what goes out over minutes: UnrealIRCd charges 1 s plus 1 s for each 90 bytes, puts what
/// it has no time for into a queue of 8000 bytes, and ends the connection when that overflows, as it would after some 40
/// full lines at the first bucket's rate. With the default pace the second one allows a minute of that debt: an answer
/// of eight full lines never feels it. At the default pace no server known to us runs out of patience (the tests model them).
///
/// A server that complains of the pace gets a slower one: half of it, down to an eighth, for ten minutes since the last
/// complaint; and silence for as long as it asks for.
struct Pacer: Sendable {
    private let configured: (burst: Int, interval: Duration)
    private var interval: Duration
    private var slowdown = Slowdown()
    private var burst: Bucket
    private var sustained: Bucket
    private var now = Duration.zero

    /// `burst` lines may go at once, then one each `interval`; an interval of zero sets no limit.
    init(burst: Int, interval: Duration) {
        configured = (burst, interval)
        self.interval = interval
        self.burst = Bucket(capacity: interval * burst)
        sustained = Bucket(capacity: interval * burst * 15 / 2)
    }

    /// Time has passed.
    mutating func turn(to now: Duration) {
        self.now = max(self.now, now)
        if slowdown.recover(self.now) { setPace() }
        burst.refill(now)
        sustained.refill(now)
    }

    /// How long until lines of so many bytes each, their ends included, may go in one piece. A piece of more than the first
    /// bucket holds waits for a full one, and the lines behind it wait for what it took too much.
    func delay(_ lines: [Int]) -> Duration {
        max(slowdown.silentUntil - now, burst.delay(sum(of: lines, cost)), sustained.delay(sum(of: lines, debt)))
    }

    mutating func charge(_ lines: [Int]) {
        burst.take(sum(of: lines, cost))
        sustained.take(sum(of: lines, debt))
    }

    /// The server finds the pace too fast, and perhaps wants silence for some time.
    mutating func slowDown(for wait: Duration, now: Duration) {
        turn(to: now)
        slowdown.complained(wait, now)
        setPace()
        burst.drain()
    }

    private mutating func setPace() {
        let factor = slowdown.factor
        interval = factor == 1 ? configured.interval : max(configured.interval, Slowdown.least) * factor
        burst.resize(interval * max(1, configured.burst / factor))
        sustained.resize(interval * configured.burst * 15 / 2)
    }

    private func sum(of lines: [Int], _ price: (Int) -> Duration) -> Duration {
        lines.reduce(.zero) { $0 + price($1) }
    }

    private func cost(_ bytes: Int) -> Duration { interval * (bytes > 200 ? 2 : 1) }

    /// UnrealIRCd's `1 + bytes / 90` seconds, for an interval of 2 s.
    private func debt(_ bytes: Int) -> Duration { interval * (90 + bytes) / 180 }
}

/// How much slower than configured, since the server complained.
private struct Slowdown: Sendable {
    /// The interval to slow down from where none is configured.
    static let least = Duration.milliseconds(500)
    private static let slowest = 8
    private static let lasts = Duration.seconds(600)
    /// Of a burst every line may bring a complaint; they count as one.
    private static let burst = Duration.seconds(10)

    private(set) var factor = 1
    private(set) var silentUntil = Duration.zero
    private var complainedAt: Duration?

    mutating func complained(_ wait: Duration, _ now: Duration) {
        silentUntil = max(silentUntil, now + wait)
        if let last = complainedAt, now - last < Self.burst, factor > 1 { return }
        complainedAt = now
        factor = min(factor * 2, Self.slowest)
    }

    /// True where the configured pace holds again.
    mutating func recover(_ now: Duration) -> Bool {
        guard let last = complainedAt, now - last >= Self.lasts else { return false }
        complainedAt = nil
        factor = 1
        return true
    }
}

/// A token bucket that counts in time: it holds at most `capacity`, gains a second a second, and may be overdrawn.
private struct Bucket: Sendable {
    private var capacity: Duration
    private var level: Duration
    private var refilled = Duration.zero

    init(capacity: Duration) {
        self.capacity = capacity
        level = capacity
    }

    mutating func resize(_ capacity: Duration) {
        self.capacity = capacity
        level = max(.zero - capacity, min(level, capacity))
    }

    mutating func drain() { level = min(level, .zero) }

    mutating func refill(_ now: Duration) {
        level = min(capacity, level + max(.zero, now - refilled))
        refilled = max(refilled, now)
    }

    /// How long until this can be taken. What is more than the bucket ever holds can be taken when it is full.
    func delay(_ cost: Duration) -> Duration { max(.zero, min(cost, capacity) - level) }

    /// Takes it in any case; a debt never grows beyond another capacity, so that no command silences the bot for long.
    mutating func take(_ cost: Duration) { level = max(.zero - capacity, level - cost) }
}
