import Domain

/// Which lines are of one breath, and so one question.
///
/// Clients cut what is too long for a line, and people paste several: what somebody says in the same place within `window`
/// of their line before belongs to that question as long as nothing of its answer was said. Nobody waits for it: the first
/// line is asked at once, and asked again with the others when they come. Only after a line that its client has surely
/// cut the rest is waited for, and between the requests of a question that keeps growing.
///
/// A value without clocks. Invariant: what is joined is bounded in lines and bytes, and nothing joins a question that was
/// closed.
struct Gathering: Sendable {
    /// Somebody in a place.
    struct Source: Hashable, Sendable {
        let visit: VisitID
        let place: Place
    }

    enum Verdict: Sendable, Equatable {
        /// It begins a question of its own.
        case new
        /// It belongs to the question of this turn, which has grown by it.
        case joins(TurnID)
        /// It belongs to a question that takes no more, or was not taken itself.
        case refused
    }

    /// What stands between a line and the next.
    enum Joint: String, Sendable {
        case lineEnd = "\n"
        /// A client that cuts a line may do so inside a word: its rest follows without a line end.
        case none = ""
        /// It cut the line between words.
        case blank = " "
    }

    private struct Breath {
        /// Nil where the question was refused.
        let turn: TurnID?
        var text: String
        var lines: Int
        var joint: Joint
        var lastAt: Duration
        /// Requests to the API that were begun.
        var requests = 0

        func isUnderWay(at now: Duration, within window: Duration) -> Bool { now - lastAt <= window }

        func with(_ line: String) -> String { text + joint.rawValue + line }
    }

    static let maxLines = 50
    /// UTF-8.
    static let maxBytes = 8192
    /// Refused questions that are remembered.
    private static let maxRefused = 1024

    /// Zero where every line is a question of its own.
    let window: Duration
    private var breaths: [Source: Breath] = [:]
    /// Of the turns that may grow.
    private var sources: [TurnID: Source] = [:]

    /// Lines of people that were not taken, and of which they were not told yet.
    private var refused: [VisitID: Int] = [:]

    init(window: Duration) { self.window = window }

    mutating func countRefused(of visit: VisitID) { refused[visit, default: 0] += 1 }

    /// How many were not taken since this was asked last; nil for none.
    mutating func takeRefused(of visit: VisitID) -> Int? { refused.removeValue(forKey: visit) }

    /// Whether what is said next may belong to what was said before.
    func isUnderWay(from source: Source, at now: Duration) -> Bool {
        breaths[source]?.isUnderWay(at: now, within: window) ?? false
    }

    /// What a question would be with one more line; nil where the line does not belong to any.
    func whole(with line: String, from source: Source, at now: Duration) -> String? {
        guard let breath = breaths[source], breath.turn != nil, breath.isUnderWay(at: now, within: window) else {
            return nil
        }
        return breath.with(line)
    }

    /// Takes in a line that may go on with a question.
    mutating func hear(_ line: String, _ joint: Joint, from source: Source, at now: Duration) -> Verdict {
        guard window > .zero, var breath = breaths[source], breath.isUnderWay(at: now, within: window) else {
            return .new
        }
        breath.lastAt = now
        defer { breaths[source] = breath }
        let whole = breath.with(line)
        let lineCount = breath.lines + Self.lineCount(of: line)
        guard let turn = breath.turn, lineCount <= Self.maxLines, whole.utf8.count <= Self.maxBytes else {
            return .refused
        }
        breath.text = whole
        breath.lines = lineCount
        breath.joint = joint
        return .joins(turn)
    }

    /// A question begins, which others may join; `turn` is nil where it was refused, and so are those.
    mutating func begin(_ text: String, _ joint: Joint, from source: Source, as turn: TurnID?, at now: Duration) {
        guard window > .zero else { return }
        if let former = breaths[source]?.turn { sources[former] = nil }
        breaths[source] = Breath(
            turn: turn, text: text, lines: Self.lineCount(of: text), joint: joint, lastAt: now)
        if let turn { sources[turn] = source } else { forgetRefused(now) }
    }

    /// The question as it has become; nil for one that cannot grow.
    func question(of turn: TurnID) -> String? { breath(of: turn)?.text }

    /// How long to wait before it is asked: for the rest of a line that was cut, or for a pause in a question that was asked
    /// twice already.
    func pause(before turn: TurnID, at now: Duration) -> Duration {
        guard let breath = breath(of: turn) else { return .zero }
        let wait = breath.joint != .lineEnd ? window : breath.requests > 1 ? window / 4 : .zero
        return max(.zero, breath.lastAt + wait - now)
    }

    /// A request to the API begins.
    mutating func asks(_ turn: TurnID) {
        guard let source = sources[turn] else { return }
        breaths[source]?.requests += 1
    }

    /// From now on nothing joins: something of the answer is about to be said, or the turn is over.
    mutating func close(_ turn: TurnID) {
        guard let source = sources.removeValue(forKey: turn) else { return }
        breaths[source] = nil
    }

    private static func lineCount(of text: String) -> Int {
        1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
    }

    private func breath(of turn: TurnID) -> Breath? { sources[turn].flatMap { breaths[$0] } }

    private mutating func forgetRefused(_ now: Duration) {
        guard breaths.count - sources.count > Self.maxRefused else { return }
        breaths = breaths.filter { $0.value.turn != nil || $0.value.isUnderWay(at: now, within: window) }
    }
}
