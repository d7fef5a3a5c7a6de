package import Domain

/// Everything that waits to be sent on one connection, and when it may go: polite to the server, fair to the readers.
///
/// A plain value; `now` is a reading of a monotonic clock. `Pacer` says how fast. What is urgent goes first, and among what
/// is equally urgent targets take turns, a line each or a message of several (`draft/multiline`), so that a long answer for
/// one delays no other; one target's utterances of one urgency go in the order they came. Commands go before all that.
///
/// What is less urgent is not starved by that: after so many portions that overtook it, one of it goes. Only listings wait
/// as long as there is anything more urgent.
///
/// A target that got no line out for `expiry` loses what waits for it. Age is not counted from when a line came: hundreds
/// of lines of history take longer than that at the default pace, and are wanted nevertheless. What expiry ends is waiting
/// without progress, where the link is stuck or far more targets want to be served than the pace allows.
package struct SendQueue: Sendable {
    /// What is to be written now, with nothing in between: a line, or those of a multiline batch.
    package struct Portion: Sendable, Equatable {
        package let lines: [TaggedLine]
        /// Whose it is; nil for a command.
        package let utterance: Int?
        /// Whether it completes its utterance.
        package let isLast: Bool
        /// Whom it is for; nil for a command.
        package let target: Target?

        /// Several lines are a batch, which opens and closes with a line of its own.
        package var isBatch: Bool { lines.count > 1 }
        /// Texts of the utterance that are in it.
        package var textCount: Int { isBatch ? lines.count - 2 : 1 }
        /// Bytes of each line, tags and line ends included.
        fileprivate var sizes: [Int] { lines.map { $0.tags.utf8.count + $0.text.utf8.count + 2 } }
    }

    package enum Admission: Sendable, Equatable {
        case queued
        /// There is no line in it, so none will ever be the last.
        case empty
        /// There is no room for all of it, and half an utterance is none.
        case full
    }

    /// How long a target may wait for its next line.
    package static let expiry = Duration.seconds(300)
    /// A batch that would have to wait longer goes line by line, so that others have their turns meanwhile.
    package static let maxPause = Duration.seconds(15)
    /// Lines that may wait in all: some megabytes.
    package static let maxLines = 20_000

    /// Lines that may wait for one target: 400, or what goes out in 800 s where the pace is faster.
    package let maxLinesPerTarget: Int
    /// What the server takes as one message; nil where it takes single lines only.
    package var multiline: MultilineLimits?
    private var lastReference = 0
    private var pacer: Pacer
    private var commands = FIFO<(line: String, isFree: Bool)>()
    /// By urgency, the most urgent first.
    private var rotations = Utterance.Urgency.allCases.map { _ in Rotation() }
    /// How many portions have gone before what waits there.
    private var overtaken = Utterance.Urgency.allCases.map { _ in 0 }

    /// `burst` lines may go at once, then one each `interval`; an interval of zero sets no limit.
    package init(burst: Int, interval: Duration) {
        pacer = Pacer(burst: burst, interval: interval)
        let paced = interval > .zero ? min(Double(Self.maxLines), .seconds(800) / interval) : Double(Self.maxLines)
        maxLinesPerTarget = max(400, Int(paced))
    }

    package var hasCommands: Bool { !commands.isEmpty }

    package var isEmpty: Bool { commands.isEmpty && lineCount == 0 }

    /// Lines that wait, commands not counted.
    package var lineCount: Int { rotations.reduce(0) { $0 + $1.lineCount } }

    // MARK: In

    /// Takes all lines of an utterance, or none; they are texts as `LineSplitter` makes them.
    package mutating func enqueue(
        _ texts: [String], as form: Utterance.Form, to target: Target, at recipient: String? = nil, utterance: Int,
        urgency: Utterance.Urgency = .answer, now: Duration
    ) -> Admission {
        guard !texts.isEmpty else { return .empty }
        guard lineCount + texts.count <= Self.maxLines,
            rotations[urgency.rawValue].lineCount(for: target) + texts.count <= maxLinesPerTarget
        else { return .full }
        let entry = Rotation.Entry(utterance: utterance, form: form, texts: texts, recipient: recipient)
        rotations[urgency.rawValue].append(entry, for: target, now: now)
        return .queued
    }

    /// Puts a command before everything said. It waits for nothing, but what is said afterwards waits for it, unless it
    /// `isFree`: the answer to a PING, which the server itself asked for.
    package mutating func enqueueCommand(_ line: String, isFree: Bool = false) {
        commands.append((line, isFree))
    }

    // MARK: Out

    /// What is to be written at this moment, if there is anything; call until nil.
    package mutating func next(now: Duration) -> Portion? {
        pacer.turn(to: now)
        if let command = commands.popFirst() {
            if !command.isFree { pacer.charge([command.line.utf8.count + 2]) }
            return Portion(lines: [TaggedLine(text: command.line)], utterance: nil, isLast: true, target: nil)
        }
        guard let level, let (portion, count) = front(of: level, pacer), pacer.delay(portion.sizes) == .zero else {
            return nil
        }
        pacer.charge(portion.sizes)
        if portion.isBatch { lastReference += 1 }
        rotations[level].removeFront(count, now)
        for other in rotations.indices {
            overtaken[other] = other == level || rotations[other].isEmpty ? 0 : overtaken[other] + 1
        }
        return portion
    }

    /// The utterance of which `next` would give something at this moment, and how many of its texts are out then; nil where it
    /// would give a command, or nothing.
    package mutating func due(now: Duration) -> (utterance: Int, texts: Int)? {
        pacer.turn(to: now)
        guard commands.isEmpty, let level, let (entry, _) = rotations[level].front,
            let (portion, count) = front(of: level, pacer), pacer.delay(portion.sizes) == .zero
        else { return nil }
        return (entry.utterance, entry.sent + count)
    }

    /// How many of these texts would go at once; none where others wait.
    package func atOnce(of texts: [String], as form: Utterance.Form, to target: Target, now: Duration) -> Int {
        guard isEmpty else { return 0 }
        var trial = self
        guard trial.enqueue(texts, as: form, to: target, utterance: 0, now: now) == .queued else { return 0 }
        while trial.next(now: now) != nil {}
        return texts.count - trial.lineCount
    }

    /// How long until `next` has a line again; nil when nothing waits.
    package func nextWake(now: Duration) -> Duration? {
        guard commands.isEmpty else { return .zero }
        var pacer = pacer
        pacer.turn(to: now)
        return level.flatMap { front(of: $0, pacer) }.map { pacer.delay($0.portion.sizes) }
    }

    /// The server finds the pace too fast, and perhaps wants silence for some time.
    package mutating func slowDown(for wait: Duration, now: Duration) { pacer.slowDown(for: wait, now: now) }

    /// The urgency whose turn it is.
    private var level: Int? {
        let due = Utterance.Urgency.allCases.first { urgency in
            guard let patience = urgency.patience, !rotations[urgency.rawValue].isEmpty else { return false }
            return overtaken[urgency.rawValue] >= patience
        }
        return due?.rawValue ?? rotations.firstIndex { !$0.isEmpty }
    }

    /// What has its turn among what is equally urgent, and how many texts that is.
    private func front(of level: Int, _ pacer: Pacer) -> (portion: Portion, count: Int)? {
        guard let (entry, target) = rotations[level].front else { return nil }
        let texts = entry.texts[entry.sent...]
        let count = multiline?.count(of: texts) ?? 1
        if count > 1 {
            let whole = portion(texts.prefix(count), of: entry, to: target)
            if pacer.delay(whole.sizes) <= Self.maxPause { return (whole, count) }
        }
        return (portion(texts.prefix(1), of: entry, to: target), 1)
    }

    private func portion(_ texts: ArraySlice<String>, of entry: Rotation.Entry, to target: Target) -> Portion {
        var lines = texts.map { TaggedLine(text: "\(entry.form.command) \(target.spelling) :\($0)") }
        if lines.count > 1 { lines = MultilineLimits.batch(lines, to: target, reference: String(lastReference + 1)) }
        return Portion(
            lines: lines, utterance: entry.utterance, isLast: texts.endIndex == entry.texts.endIndex, target: target)
    }

    // MARK: Changes of mind

    /// Forgets what waits for a target; gives the utterances this ends.
    package mutating func discard(_ target: Target) -> [Int] { inEach { $0.discard(target) } }

    /// Forgets what waits for a target and is for somebody at another address; gives the utterances this ends.
    package mutating func discard(_ target: Target, unlessAt address: String) -> [Int] {
        inEach { $0.discard(target, unlessAt: address) }
    }

    /// Forgets what waits for a channel and for its ranks; gives the utterances this ends.
    package mutating func discard(in channel: ChannelName) -> [Int] { inEach { $0.discard(in: channel) } }

    /// Forgets what waits of one utterance.
    package mutating func withdraw(_ utterance: Int) {
        for level in rotations.indices { rotations[level].withdraw(utterance) }
    }

    /// Forgets everything, commands too, as a lost connection must; gives the utterances this ends.
    package mutating func discardAll() -> [Int] {
        commands = FIFO()
        return inEach { $0.discardAll() }
    }

    /// Forgets what waits for targets that got nothing out for `expiry`; gives the utterances this ends.
    package mutating func expire(now: Duration) -> [Int] { inEach { $0.expire(after: Self.expiry, now: now) } }

    /// Makes every key again by the casemapping that holds now; what waits for two targets that became one goes in turn.
    package mutating func remap(_ mapping: CaseMapping) {
        for level in rotations.indices { rotations[level].remap(mapping) }
    }

    /// A channel goes by another name.
    package mutating func retarget(in old: ChannelName, to new: ChannelName) {
        for level in rotations.indices { rotations[level].retarget(in: old, to: new) }
    }

    /// A person changed nick, or a channel its name: what waits for the old one goes to the new one, behind what waits there
    /// already.
    package mutating func retarget(_ old: Target, to new: Target) {
        for level in rotations.indices { rotations[level].retarget(old, to: new) }
    }

    private mutating func inEach(_ change: (inout Rotation) -> [Int]) -> [Int] {
        rotations.indices.flatMap { change(&rotations[$0]) }
    }
}

extension Utterance.Urgency {
    /// So many portions may overtake what waits; nil for as many as there are.
    fileprivate var patience: Int? {
        switch self {
        case .answer, .listing: nil
        case .notice: 4
        case .stranger: 8
        }
    }
}
