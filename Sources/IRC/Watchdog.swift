/// When to ask whether the other end is still there, and when to take it for gone.
///
/// Whatever is received starts the wait anew. Times are those of one monotonic clock.
struct Watchdog: Sendable {
    enum Step: Equatable, Sendable {
        case wait(Duration)
        case ping
        case dead
    }

    /// Silence after which a PING goes out.
    static let patience = Duration.seconds(75)
    /// Silence after that PING which ends the connection.
    static let grace = Duration.seconds(60)

    private var heardAt: Duration
    private var pingedAt: Duration?

    init(now: Duration) { heardAt = now }

    mutating func heard(at now: Duration) {
        heardAt = now
        pingedAt = nil
    }

    /// What is due now; after `.ping` it counts as sent.
    mutating func step(at now: Duration) -> Step {
        if let pingedAt {
            let left = pingedAt + Self.grace - now
            return left > .zero ? .wait(left) : .dead
        }
        let left = heardAt + Self.patience - now
        guard left <= .zero else { return .wait(left) }
        pingedAt = now
        return .ping
    }
}
