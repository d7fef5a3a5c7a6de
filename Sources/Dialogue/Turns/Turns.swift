import Domain

/// The questions under way, from the moment one is admitted until its end is stored and its answer was said.
///
/// Invariant: a turn is in one stage, and STOP and the bot's end reach it in every one; the turns of an asker begin in the
/// order they came, one at a time; at rest means that the end of none is still to be stored. A value without clocks: what
/// waits brings along how its wait is ended early.
struct Turns: Sendable {
    /// Ends a wait early; what waited goes on and finds out why.
    typealias Interrupt = @Sendable () -> Void

    /// What a turn waits for now.
    enum Stage: Sendable {
        /// A place at the API: `wake` is told whether it may be asked, and is nil until somebody waits for it.
        case queued(wake: (@Sendable (Bool) -> Void)?)
        /// It is not to be asked any more.
        case shut
        /// Nothing: it has its place, and something is being done for it.
        case underWay
        /// The rest of its question.
        case resting(Interrupt)
        /// Its answer, which is coming in.
        case answering(Interrupt)
        /// A store that takes nothing.
        case storing(Interrupt)
    }

    private struct Record {
        let turn: Turn
        var stage: Stage
        var isStopped = false
        /// What came of it is stored, and so is that it was told.
        var isSettled = false
        /// The answer, where it is said while it comes in.
        var stream: Streamed?
        /// When its asker is told, or shown once more, that the answer takes long.
        var remindAt: Duration?
    }

    /// How far the bot is on its way to its end.
    private enum Phase { case open, windingDown, ended }

    /// Answers in memory, and bytes of all of them, that wait for a store.
    static let maxKept = 256
    static let maxKeptBytes = 4 << 20

    private var queue: TurnQueue
    private var records: [TurnID: Record] = [:]
    /// Of answers that are being said; one may be said anew after its turn is over.
    private var deliveries: [TurnID: Interrupt] = [:]
    /// Bytes of what waits in memory for a store that does not work.
    private var kept: [TurnID: Int] = [:]
    /// Accounts whose NEW is not stored yet, and how many.
    private var afresh: [AccountID: Int] = [:]
    private var unsettled = 0
    private var phase = Phase.open
    private var whenAtRest: [Interrupt] = []
    private var lastID: UInt64 = 0

    init(limits: TurnQueue.Limits) { queue = TurnQueue(limits: limits) }

    var limits: TurnQueue.Limits { queue.limits }
    /// No question is taken any more.
    var isWindingDown: Bool { phase != .open }
    /// No answer is waited for any more.
    var hasEnded: Bool { phase == .ended }
    var isAtRest: Bool { unsettled == 0 && (hasEnded || queue.isIdle) }

    // MARK: Beginning

    mutating func nextID() -> TurnID {
        lastID += 1
        return TurnID(number: lastID)
    }

    mutating func admit(_ turn: Turn, in channel: TurnQueue.Channel?) -> TurnQueue.Admission {
        let admission = queue.admit(turn.id, of: turn.asker, in: channel)
        switch admission {
        case .starts: records[turn.id] = Record(turn: turn, stage: .underWay)
        case .waits: records[turn.id] = Record(turn: turn, stage: .queued(wake: nil))
        case .refusedOwn, .refusedChannel, .refusedAll: return admission
        }
        unsettled += 1
        return admission
    }

    /// Whether a turn may be asked; nil where it has to wait for that.
    func mayBeAsked(_ turn: TurnID) -> Bool? {
        switch records[turn]?.stage {
        case nil, .shut: false
        case .queued: nil
        case .underWay, .resting, .answering, .storing: true
        }
    }

    /// Tells when it is known.
    mutating func awaitPlace(of turn: TurnID, wake: @escaping @Sendable (Bool) -> Void) {
        if let mayBeAsked = mayBeAsked(turn) { return wake(mayBeAsked) }
        records[turn]?.stage = .queued(wake: wake)
    }

    // MARK: Under way

    /// The turn of an asker that is under way; else the first one that waits.
    func first(of asker: Asker) -> TurnID? { queue.first(of: asker) }

    /// Whether its conversation is as it will be when it is asked: nothing before it is still to become part of that.
    func isNext(_ turn: Turn) -> Bool {
        guard case .underWay = records[turn.id]?.stage else { return false }
        return afresh[turn.account.id] == nil
    }

    mutating func beginAfresh(_ account: AccountID) { afresh[account, default: 0] += 1 }

    mutating func endAfresh(_ account: AccountID) {
        let left = afresh[account, default: 1] - 1
        afresh[account] = left > 0 ? left : nil
    }

    func isAnswering(_ turn: TurnID) -> Bool { if case .answering = records[turn]?.stage { true } else { false } }

    /// Its asker said STOP.
    func isStopped(_ turn: TurnID) -> Bool { records[turn]?.isStopped ?? false }

    /// Whether it is still worth waiting for anything but the store: its asker did not say STOP, and the bot does not end.
    func mayWait(_ turn: TurnID) -> Bool { !hasEnded && !isStopped(turn) }

    /// Begins a wait, which ends at once where none may begin.
    mutating func rest(_ turn: TurnID, _ interrupt: @escaping Interrupt) {
        records[turn]?.stage = .resting(interrupt)
        if !mayWait(turn) { interrupt() }
    }

    /// The same.
    mutating func awaitAnswer(_ turn: TurnID, _ interrupt: @escaping Interrupt) {
        records[turn]?.stage = .answering(interrupt)
        if !mayWait(turn) { interrupt() }
    }

    /// The same, but that STOP does not end it: what came is kept, though it will not be said.
    mutating func awaitStore(_ turn: TurnID, _ interrupt: @escaping Interrupt) {
        records[turn]?.stage = .storing(interrupt)
        if hasEnded { interrupt() }
    }

    /// Its wait is over.
    mutating func goOn(_ turn: TurnID) { records[turn]?.stage = .underWay }

    /// A line joined its question: what is being done with the shorter one ends.
    func interrupt(_ turn: TurnID) {
        switch records[turn]?.stage {
        case .resting(let interrupt), .answering(let interrupt): interrupt()
        case nil, .queued, .shut, .underWay, .storing: break
        }
    }

    // MARK: Being said

    subscript(stream turn: TurnID) -> Streamed? {
        get { records[turn]?.stream }
        set { records[turn]?.stream = newValue }
    }

    /// Its answer, or a piece of it, is being said from now on; not where its asker said STOP.
    mutating func beginDelivery(of turn: TurnID, _ interrupt: @escaping Interrupt) {
        deliveries[turn] = interrupt
        if isStopped(turn) { interrupt() }
    }

    mutating func endDelivery(of turn: TurnID) { deliveries[turn] = nil }

    func interruptDelivery(of turn: TurnID) { deliveries[turn]?() }

    // MARK: Reminders

    mutating func remind(_ turn: TurnID, at due: Duration?) { records[turn]?.remindAt = due }

    var nextReminder: Duration? { records.values.lazy.compactMap(\.remindAt).min() }

    /// Those whose askers are to be told now; each is named once.
    mutating func takeReminders(at now: Duration) -> [Turn] {
        let due = records.values.filter { $0.remindAt.map { $0 <= now } ?? false }.map(\.turn)
        for turn in due { records[turn.id]?.remindAt = nil }
        return due
    }

    // MARK: Ending

    /// Ends a turn for its asker, in whatever stage.
    mutating func stop(_ turn: TurnID) {
        guard records[turn] != nil else { return }
        records[turn]?.isStopped = true
        interrupt(turn)
        interruptDelivery(of: turn)
        open(turn, mayBeAsked: false)
    }

    /// Keeps an answer that the store does not take; false where there is no room for one more.
    mutating func keep(_ turn: TurnID, bytes: Int) -> Bool {
        if kept[turn] != nil { return true }
        guard kept.count < Self.maxKept, kept.values.reduce(bytes, +) <= Self.maxKeptBytes else { return false }
        kept[turn] = bytes
        return true
    }

    mutating func release(_ turn: TurnID) { kept[turn] = nil }

    /// The API is done with it; those that wait get its place.
    mutating func answered(_ turn: TurnID) {
        for next in queue.answered(turn) { open(next, mayBeAsked: true) }
    }

    /// What came of it is stored.
    mutating func settle(_ turn: TurnID) {
        guard records[turn]?.isSettled == false else { return }
        records[turn]?.isSettled = true
        unsettled -= 1
        wakeIfAtRest()
    }

    /// It is over altogether, wherever it was.
    mutating func finish(_ turn: Turn) {
        settle(turn.id)
        records[turn.id] = nil
        kept[turn.id] = nil
        for next in queue.finished(turn.id, of: turn.asker) { open(next, mayBeAsked: true) }
        wakeIfAtRest()
    }

    /// No new ones, and those that wait are not asked any more; `wake` is called when all are at rest.
    mutating func windDown(_ wake: @escaping Interrupt) {
        if phase == .open { phase = .windingDown }
        for turn in queue.clearWaiting() { open(turn, mayBeAsked: false) }
        whenAtRest.append(wake)
        wakeIfAtRest()
    }

    /// Nothing is waited for any more; answers that are being said are the link's to end.
    mutating func end() {
        phase = .ended
        for record in records.values {
            switch record.stage {
            case .resting(let interrupt), .answering(let interrupt), .storing(let interrupt): interrupt()
            case .queued, .shut, .underWay: break
            }
        }
        wakeIfAtRest()
    }

    private mutating func wakeIfAtRest() {
        guard isAtRest else { return }
        for wake in whenAtRest { wake() }
        whenAtRest = []
    }

    private mutating func open(_ turn: TurnID, mayBeAsked: Bool) {
        guard case .queued(let wake) = records[turn]?.stage else { return }
        records[turn]?.stage = mayBeAsked ? .underWay : .shut
        wake?(mayBeAsked)
    }
}
