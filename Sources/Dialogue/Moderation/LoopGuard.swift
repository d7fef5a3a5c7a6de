/// Notices when somebody answers answers as only a machine does, one after the other without a breath: two bots that talk to
/// each other never stop by themselves.
///
/// Speed alone tells little: people type "yes" and "why?" in a second, twenty times in a row. What tells is a text longer than
/// anyone could have typed since the answer before it, and next to that the steadiness of a clock. A row of such replies, or
/// a much longer one of any that leave no pause, is followed by a time in which nothing is taken. That ends a loop, for the
/// other bot has nothing left to answer, and costs a person a minute. Questions that were typed ahead do not count.
struct LoopGuard: Sendable {
    enum Verdict: Sendable, Equatable {
        case goesOn
        /// A pause begins with this question, which is not taken.
        case pauses
        /// It lasts.
        case isPaused
    }

    /// What one reply adds to the row.
    private enum Weight {
        /// Nobody types so fast.
        static let machine = 12
        /// At once, or as regular as a clock.
        static let quick = 2
        static let any = 1
    }

    /// Nobody reads an answer and types a sentence in less.
    static let quick = Duration.seconds(3)
    /// After a longer silence the row is broken.
    static let steady = Duration.seconds(20)
    static let pause = Duration.seconds(60)
    /// The fastest typists write some 12 characters a second.
    private static let typed = 15.0
    /// So many characters may have been typed before the answer was there, or come out of a clipboard.
    private static let ahead = 40.0

    private var answeredAt: Duration?
    private var lastGap: Duration?
    private var row = 0
    private var pausedUntil: Duration?

    mutating func takeAnswer(at now: Duration) { answeredAt = now }

    /// Takes a question of so many characters; `most` in a row that nobody can have typed are let pass.
    mutating func takeQuestion(length: Int, at now: Duration, most: Int) -> Verdict {
        if let pausedUntil, now < pausedUntil { return .isPaused }
        guard let answeredAt else { return .goesOn }
        self.answeredAt = nil
        let gap = now - answeredAt
        row = gap < Self.steady ? row + weight(of: length, after: gap) : 0
        lastGap = gap
        guard row > most * Weight.machine else { return .goesOn }
        row = 0
        pausedUntil = now + Self.pause
        return .pauses
    }

    private func weight(of length: Int, after gap: Duration) -> Int {
        if Double(length) > Self.ahead + Self.typed * (gap / .seconds(1)) { return Weight.machine }
        let isRegular = lastGap.map { max($0, gap) - min($0, gap) < gap / 10 } ?? false
        return gap < Self.quick || isRegular ? Weight.quick : Weight.any
    }
}
