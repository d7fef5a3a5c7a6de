/// Notices when somebody answers answers as only a machine does, one after the other without a breath: two bots that talk to
/// each other never stop by themselves.
///
/// What counts is how soon a question follows the answer before it. People read, and pause now and then; so a row of quick
/// replies, or a much longer one of steady ones, is followed by a pause in which nothing is taken. That ends a loop, for
/// the other bot has nothing left to answer, and costs a person a minute. Questions that were typed ahead do not count.
struct LoopGuard: Sendable {
    enum Verdict: Sendable, Equatable {
        case goesOn
        /// A pause begins with this question, which is not taken.
        case pauses
        /// It lasts.
        case isPaused
    }

    /// Nobody reads an answer and types the next question in less.
    static let quick = Duration.seconds(3)
    /// After a longer silence the row is broken.
    static let steady = Duration.seconds(20)
    static let pause = Duration.seconds(60)
    /// Of steady replies, so many weigh as much as a quick one.
    private static let weight = 3

    private var answeredAt: Duration?
    private var row = 0
    private var pausedUntil: Duration?

    mutating func isAnswered(at now: Duration) { answeredAt = now }

    /// Takes a question; `most` quick replies in a row are let pass.
    mutating func isAsked(at now: Duration, most: Int) -> Verdict {
        if let pausedUntil, now < pausedUntil { return .isPaused }
        guard let answeredAt else { return .goesOn }
        self.answeredAt = nil
        let gap = now - answeredAt
        row = gap < Self.quick ? row + Self.weight : gap < Self.steady ? row + 1 : 0
        guard row > most * Self.weight else { return .goesOn }
        row = 0
        pausedUntil = now + Self.pause
        return .pauses
    }
}
