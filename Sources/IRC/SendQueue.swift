internal import Domain

/// Everything that waits to be sent on one connection, and when it may go: polite to the server, fair to the readers.
///
/// A plain value; `now` is a reading of a monotonic clock. `Pacer` says how fast. Targets with lines waiting take turns, a
/// line each, so a long history for one delays no other; one target's utterances go in the order they came. Commands go
/// before all that.
///
/// A target that got no line out for `expiry` loses what waits for it. Age is not counted from when a line came: hundreds
/// of lines of history take longer than that at the default pace, and are wanted nevertheless. What expiry ends is waiting
/// without progress, where the link is stuck or far more targets want to be served than the pace allows.
struct SendQueue: Sendable {
    /// A line to be written now.
    struct Line: Sendable, Equatable {
        /// Whole, without its end.
        let text: String
        /// Whose it is; nil for a command.
        let utterance: Int?
        /// Whether it completes its utterance.
        let isLast: Bool
        /// Whom it is for; nil for a command.
        let target: Target?
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
    /// Lines that may wait in all: some megabytes.
    static let mostLines = 20_000

    /// Lines that may wait for one target: 400, or what goes out in 800 s where the pace is faster.
    let mostLinesPerTarget: Int
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
        queue.batches.append(Batch(utterance: utterance, form: form, texts: texts))
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

    /// The line to be written at this moment, if there is one; call until nil.
    mutating func next(now: Duration) -> Line? {
        pacer.turn(to: now)
        if let command = commands.popFirst() {
            if !command.isFree { pacer.charge(bytes: command.line.utf8.count + 2) }
            return Line(text: command.line, utterance: nil, isLast: true, target: nil)
        }
        guard let (line, utterance) = front else { return nil }
        let bytes = line.utf8.count + 2
        guard pacer.delay(bytes: bytes) == .zero else { return nil }
        pacer.charge(bytes: bytes)
        let target = rotation.first
        return Line(text: line, utterance: utterance, isLast: removeFront(now), target: target)
    }

    /// How long until `next` has a line again; nil when nothing waits.
    func nextWake(now: Duration) -> Duration? {
        guard commands.isEmpty else { return .zero }
        guard let (line, _) = front else { return nil }
        var pacer = pacer
        pacer.turn(to: now)
        return pacer.delay(bytes: line.utf8.count + 2)
    }

    /// The server finds the pace too fast, and perhaps wants silence for some time.
    mutating func slowDown(for wait: Duration, now: Duration) { pacer.slowDown(for: wait, now: now) }

    /// The line whose turn it is.
    private var front: (line: String, utterance: Int)? {
        guard let target = rotation.first, let queue = waiting[target], let batch = queue.batches.first else {
            return nil
        }
        let text = batch.texts[batch.sent]
        return ("\(batch.form.command) \(queue.target.spelling) :\(text)", batch.utterance)
    }

    /// Takes it out and puts its target last; tells whether it completes its utterance.
    private mutating func removeFront(_ now: Duration) -> Bool {
        guard let target = rotation.popFirst(), var queue = waiting.removeValue(forKey: target) else { return true }
        let isLast = queue.removeFirst()
        queue.progressed = now
        lineCount -= 1
        if queue.lineCount > 0 {
            waiting[target] = queue
            rotation.append(target)
        }
        return isLast
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
    var batches = FIFO<Batch>()
    var lineCount = 0
    /// When its last line went out, or the first one came.
    var progressed: Duration

    init(target: Target, progressed: Duration) {
        self.target = target
        self.progressed = progressed
    }

    var utterances: [Int] { batches.elements.map(\.utterance) }

    /// Puts what waits for another target behind what waits here.
    mutating func append(_ other: Waiting) {
        for batch in other.batches.elements { batches.append(batch) }
        lineCount += other.lineCount
    }

    /// How many lines this took out.
    mutating func remove(_ utterance: Int) -> Int {
        let batch = batches.elements.first { $0.utterance == utterance }
        let count = batch.map { $0.texts.count - $0.sent } ?? 0
        batches.removeAll { $0.utterance == utterance }
        lineCount -= count
        return count
    }

    /// Whether the removed line was the last of its utterance.
    mutating func removeFirst() -> Bool {
        lineCount -= 1
        batches.updateFirst { $0.sent += 1 }
        guard let batch = batches.first, batch.sent == batch.texts.count else { return false }
        _ = batches.popFirst()
        return true
    }
}

/// The lines of one utterance, of which some are sent.
private struct Batch: Sendable {
    let utterance: Int
    let form: Utterance.Form
    let texts: [String]
    var sent = 0
}

/// A queue in an array: what is taken from the front is moved up only when it is half of all.
private struct FIFO<Element> {
    private var storage: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == storage.count }
    var first: Element? { isEmpty ? nil : storage[head] }
    var elements: ArraySlice<Element> { storage[head...] }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head]
        head += 1
        if head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func updateFirst(_ body: (inout Element) -> Void) {
        if !isEmpty { body(&storage[head]) }
    }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        storage = elements.filter { !isGone($0) }
        head = 0
    }

    mutating func replace(_ old: Element, with new: Element) where Element: Equatable {
        for index in elements.indices where storage[index] == old { storage[index] = new }
    }
}

extension FIFO: Sendable where Element: Sendable {}
