internal import Domain

/// Everything that waits to be sent on one connection, and when it may go: polite to the server, fair to the readers.
///
/// A plain value; `now` is a reading of a monotonic clock. `Pacer` says how fast. Targets with lines waiting take turns, a
/// line each or a message of several (`draft/multiline`), so a long history for one delays no other; one target's
/// utterances go in the order they came. Commands go before all that.
///
/// A target that got no line out for `expiry` loses what waits for it. Age is not counted from when a line came: hundreds
/// of lines of history take longer than that at the default pace, and are wanted nevertheless. What expiry ends is waiting
/// without progress, where the link is stuck or far more targets want to be served than the pace allows.
struct SendQueue: Sendable {
    /// What is to be written now, with nothing in between: a line, or those of a multiline batch.
    struct Portion: Sendable, Equatable {
        let lines: [TaggedLine]
        /// Whose it is; nil for a command.
        let utterance: Int?
        /// Whether it completes its utterance.
        let isLast: Bool
        /// Whom it is for; nil for a command.
        let target: Target?

        /// Several lines are a batch, which opens and closes with a line of its own.
        var isBatch: Bool { lines.count > 1 }
        /// Bytes of each line, tags and line ends included.
        fileprivate var sizes: [Int] { lines.map { $0.tags.utf8.count + $0.text.utf8.count + 2 } }
    }

    enum Admission: Sendable, Equatable {
        case queued
        /// There is no line in it, so none will ever be the last.
        case empty
        /// There is no room for all of it, and half an utterance is none.
        case full
    }

    /// How long a target may wait for its next line.
    static let expiry = Duration.seconds(300)
    /// A batch that would have to wait longer goes line by line, so that others have their turns meanwhile.
    static let longestPause = Duration.seconds(15)
    /// Lines that may wait in all: some megabytes.
    static let mostLines = 20_000

    /// Lines that may wait for one target: 400, or what goes out in 800 s where the pace is faster.
    let mostLinesPerTarget: Int
    /// What the server takes as one message; nil where it takes single lines only.
    var multiline: MultilineLimits?
    private var lastReference = 0
    private var pacer: Pacer
    private var commands = FIFO<(line: String, isFree: Bool)>()
    private var waiting: [Target: Waiting] = [:]
    /// Each target that has lines waiting, once; the first one is next.
    private var rotation = FIFO<Target>()
    /// Lines that wait, commands not counted.
    private(set) var lineCount = 0

    /// `burst` lines may go at once, then one each `interval`; an interval of zero sets no limit.
    init(burst: Int, interval: Duration) {
        pacer = Pacer(burst: burst, interval: interval)
        let paced = interval > .zero ? min(Double(Self.mostLines), .seconds(800) / interval) : Double(Self.mostLines)
        mostLinesPerTarget = max(400, Int(paced))
    }

    var isEmpty: Bool { commands.isEmpty && lineCount == 0 }

    // MARK: In

    /// Takes all lines of an utterance, or none; they are texts as `LineSplitter` makes them.
    mutating func enqueue(
        _ texts: [String], as form: Utterance.Form, to target: Target, utterance: Int, now: Duration
    ) -> Admission {
        guard !texts.isEmpty else { return .empty }
        guard lineCount + texts.count <= Self.mostLines else { return .full }
        var queue = waiting.removeValue(forKey: target) ?? Waiting(target: target, progressed: now)
        defer { waiting[target] = queue.lineCount > 0 ? queue : nil }
        guard queue.lineCount + texts.count <= mostLinesPerTarget else { return .full }
        if queue.lineCount == 0 { rotation.append(target) }
        queue.entries.append(Entry(utterance: utterance, form: form, texts: texts))
        queue.lineCount += texts.count
        lineCount += texts.count
        return .queued
    }

    /// Puts a command before everything said. It waits for nothing, but what is said afterwards waits for it, unless it
    /// `isFree`: the answer to a PING, which the server itself asked for.
    mutating func enqueueCommand(_ line: String, isFree: Bool = false) {
        commands.append((line, isFree))
    }

    // MARK: Out

    /// What is to be written at this moment, if there is anything; call until nil.
    mutating func next(now: Duration) -> Portion? {
        pacer.turn(to: now)
        if let command = commands.popFirst() {
            if !command.isFree { pacer.charge([command.line.utf8.count + 2]) }
            return Portion(lines: [TaggedLine(text: command.line)], utterance: nil, isLast: true, target: nil)
        }
        guard let (portion, count) = front(pacer), pacer.delay(portion.sizes) == .zero else { return nil }
        pacer.charge(portion.sizes)
        if portion.isBatch { lastReference += 1 }
        removeFront(count, now)
        return portion
    }

    /// How long until `next` has a line again; nil when nothing waits.
    func nextWake(now: Duration) -> Duration? {
        guard commands.isEmpty else { return .zero }
        var pacer = pacer
        pacer.turn(to: now)
        return front(pacer).map { pacer.delay($0.portion.sizes) }
    }

    /// The server finds the pace too fast, and perhaps wants silence for some time.
    mutating func slowDown(for wait: Duration, now: Duration) { pacer.slowDown(for: wait, now: now) }

    /// What has its turn, and how many texts that is.
    private func front(_ pacer: Pacer) -> (portion: Portion, count: Int)? {
        guard let queue = rotation.first.flatMap({ waiting[$0] }), let entry = queue.entries.first else { return nil }
        let texts = entry.texts[entry.sent...]
        let count = multiline?.count(of: texts) ?? 1
        if count > 1 {
            let whole = portion(texts.prefix(count), of: entry, to: queue.target)
            if pacer.delay(whole.sizes) <= Self.longestPause { return (whole, count) }
        }
        return (portion(texts.prefix(1), of: entry, to: queue.target), 1)
    }

    private func portion(_ texts: ArraySlice<String>, of entry: Entry, to target: Target) -> Portion {
        var lines = texts.map { TaggedLine(text: "\(entry.form.command) \(target.spelling) :\($0)") }
        if lines.count > 1 { lines = MultilineLimits.batch(lines, to: target, reference: String(lastReference + 1)) }
        return Portion(
            lines: lines, utterance: entry.utterance, isLast: texts.endIndex == entry.texts.endIndex, target: target)
    }

    /// Takes out so many texts and puts their target last.
    private mutating func removeFront(_ count: Int, _ now: Duration) {
        guard let target = rotation.popFirst(), var queue = waiting.removeValue(forKey: target) else { return }
        queue.removeFirst(count)
        queue.progressed = now
        lineCount -= count
        guard queue.lineCount > 0 else { return }
        waiting[target] = queue
        rotation.append(target)
    }

    // MARK: Changes of mind

    /// Forgets what waits for a target; gives the utterances this ends.
    mutating func discard(_ target: Target) -> [Int] {
        guard let queue = waiting.removeValue(forKey: target) else { return [] }
        rotation.removeAll { $0 == target }
        lineCount -= queue.lineCount
        return queue.utterances
    }

    /// Forgets what waits for a channel and for its ranks; gives the utterances this ends.
    mutating func discard(in channel: ChannelName) -> [Int] {
        rotation.elements.filter { $0.channel == channel }.flatMap { discard($0) }
    }

    /// Forgets what waits of one utterance.
    mutating func withdraw(_ utterance: Int) {
        guard let target = waiting.first(where: { $0.value.utterances.contains(utterance) })?.key,
            var queue = waiting.removeValue(forKey: target)
        else { return }
        lineCount -= queue.remove(utterance)
        if queue.lineCount > 0 { waiting[target] = queue } else { rotation.removeAll { $0 == target } }
    }

    /// Forgets everything, commands too, as a lost connection must; gives the utterances this ends.
    mutating func discardAll() -> [Int] {
        defer {
            commands = FIFO()
            rotation = FIFO()
            waiting = [:]
            lineCount = 0
        }
        return rotation.elements.flatMap { waiting[$0]?.utterances ?? [] }
    }

    /// Forgets what waits for targets that got nothing out for `expiry`; gives the utterances this ends.
    mutating func expire(now: Duration) -> [Int] {
        let late = rotation.elements.filter { target in
            waiting[target].map { now - $0.progressed >= Self.expiry } ?? false
        }
        return late.flatMap { discard($0) }
    }

    /// Makes every key again by the casemapping that holds now; what waits for two targets that became one goes in turn.
    mutating func remap(_ mapping: CaseMapping) {
        let targets = Array(rotation.elements)
        rotation = FIFO()
        var remapped: [Target: Waiting] = [:]
        for target in targets {
            guard var queue = waiting[target] else { continue }
            let renewed = target.folded(by: mapping)
            if var twin = remapped[renewed] {
                twin.append(queue)
                remapped[renewed] = twin
            } else {
                queue.target = renewed
                remapped[renewed] = queue
                rotation.append(renewed)
            }
        }
        waiting = remapped
    }

    /// A channel goes by another name.
    mutating func retarget(in old: ChannelName, to new: ChannelName) {
        for target in rotation.elements where target.channel == old { retarget(target, to: target.moved(to: new)) }
    }

    /// A person changed nick, or a channel its name: what waits for the old one goes to the new one, behind what waits there
    /// already.
    mutating func retarget(_ old: Target, to new: Target) {
        guard var moved = waiting.removeValue(forKey: old) else { return }
        if var queue = waiting.removeValue(forKey: new) {
            rotation.removeAll { $0 == old }
            queue.append(moved)
            waiting[new] = queue
        } else {
            rotation.replace(old, with: new)
            moved.target = new
            waiting[new] = moved
        }
    }
}

/// What waits for one target.
private struct Waiting: Sendable {
    var target: Target
    var entries = FIFO<Entry>()
    var lineCount = 0
    /// When its last line went out, or the first one came.
    var progressed: Duration

    init(target: Target, progressed: Duration) {
        self.target = target
        self.progressed = progressed
    }

    var utterances: [Int] { entries.elements.map(\.utterance) }

    /// Puts what waits for another target behind what waits here.
    mutating func append(_ other: Waiting) {
        for entry in other.entries.elements { entries.append(entry) }
        lineCount += other.lineCount
    }

    /// How many lines this took out.
    mutating func remove(_ utterance: Int) -> Int {
        let entry = entries.elements.first { $0.utterance == utterance }
        let count = entry.map { $0.texts.count - $0.sent } ?? 0
        entries.removeAll { $0.utterance == utterance }
        lineCount -= count
        return count
    }

    /// Takes out so many texts of the first utterance.
    mutating func removeFirst(_ count: Int) {
        lineCount -= count
        entries.updateFirst { $0.sent += count }
        if let entry = entries.first, entry.sent == entry.texts.count { _ = entries.popFirst() }
    }
}

/// The lines of one utterance, of which some are sent.
private struct Entry: Sendable {
    let utterance: Int
    let form: Utterance.Form
    let texts: [String]
    var sent = 0
}
