/// When to ask whether the other end is still there, and when to take it for gone.
///
/// Whatever is received starts the wait anew. A server that never falls silent is asked now and then all the same, for how
/// long it takes to answer. Times are those of one monotonic clock.
package struct Watchdog: Sendable {
    package enum Step: Equatable, Sendable {
        case wait(Duration)
        case ping
        case dead
    }

    /// Silence after which a PING goes out.
    package static let patience = Duration.seconds(75)
    /// Silence after that PING which ends the connection.
    package static let grace = Duration.seconds(60)
    /// Without silence, from one PING to the next.
    package static let interval = Duration.seconds(300)

    private var heardAt: Duration
    /// When the PING went out that nothing was heard since.
    private var pingedAt: Duration?
    private var nextMeasuring: Duration
    /// When the PING went out whose PONG is not there yet.
    private var askedAt: Duration?
    private var lastLag: Duration?

    package init(now: Duration) {
        heardAt = now
        nextMeasuring = now + Self.patience
    }

    package mutating func heard(at now: Duration) {
        heardAt = now
        pingedAt = nil
    }

    /// The PONG has come.
    package mutating func answered(at now: Duration) {
        guard let askedAt else { return }
        lastLag = now - askedAt
        self.askedAt = nil
    }

    /// How long the last answer took, or this one takes already; nil before the first.
    package func lag(at now: Duration) -> Duration? {
        guard let askedAt else { return lastLag }
        return max(now - askedAt, lastLag ?? .zero)
    }

    /// What is due now; after `.ping` it counts as sent.
    package mutating func step(at now: Duration) -> Step {
        if let pingedAt {
            let left = pingedAt + Self.grace - now
            return left > .zero ? .wait(left) : .dead
        }
        let left = min(heardAt + Self.patience, nextMeasuring) - now
        guard left <= .zero else { return .wait(left) }
        pingedAt = now
        askedAt = askedAt ?? now
        nextMeasuring = now + Self.interval
        return .ping
    }
}
