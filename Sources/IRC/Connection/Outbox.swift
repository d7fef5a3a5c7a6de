import Domain
import IRCProtocol
import Network
import Runtime

/// What one connection has to say, and who waits to hear what became of it.
///
/// `SendQueue` decides what goes when; this keeps its clock and answers its speakers, each exactly once: when the server
/// has told that all was passed on, or, where it tells no such thing, when all is written.
@NetworkThread
final class Outbox {
    /// Takes what is to be written when its time has come, with the label that its answer is to carry.
    var onPortion: (@NetworkThread (SendQueue.Portion, _ label: String?) -> Void)?
    /// Whether the server tells of each line what became of it.
    var isProofOffered = false {
        didSet {
            if oldValue, !isProofOffered { answer(proofs.forgetAll(), nil) }
        }
    }
    /// Where the last line went that was said.
    private(set) var lastTarget: Target?
    /// The last message of several lines.
    private var lastBatch: (utterance: Int, target: Target)?
    private var proofs = DeliveryProofs()
    private var queue: SendQueue
    private var speakers: [Int: CheckedContinuation<Delivery, Never>] = [:]
    private var clearances: [Int: Cleared] = [:]
    /// Clearances that are asked for; nothing is said until all are there.
    private var asked = 0
    private var lastAsked: Task<Void, Never>?
    private var nextUtterance = 0
    private var isClosed = false
    private let time: Time
    private let alarm: Alarm

    nonisolated init(pace: Pace, time: Time) {
        queue = SendQueue(burst: pace.burst, interval: pace.interval)
        self.time = time
        alarm = Alarm(time)
    }

    /// What the server takes as one message.
    var multiline: MultilineLimits? {
        get { queue.multiline }
        set {
            guard newValue != queue.multiline else { return }
            queue.multiline = newValue
            drain()
        }
    }

    /// Lines that wait to be said.
    var lineCount: Int { queue.lineCount }

    /// How many of these texts would be written at once.
    func atOnce(of texts: [String], as form: Utterance.Form, to target: Target) -> Int {
        isClosed || asked > 0 ? 0 : queue.atOnce(of: texts, as: form, to: target, now: time.now())
    }

    /// Returns when the last text was delivered, or when it is certain that it never will be.
    func say(
        _ texts: [String], as form: Utterance.Form, to target: Target, at recipient: String? = nil,
        urgency: Utterance.Urgency = .answer, by clearance: Clearance? = nil
    ) async -> Delivery {
        guard !isClosed else { return .undelivered(.offline) }
        nextUtterance += 1
        let utterance = nextUtterance
        let delivery: Delivery = await withTaskCancellationHandler {
            await withCheckedContinuation { speaker in
                // In one go: what is in the queue may be written, and so answered, by whatever comes next.
                let admission = queue.enqueue(
                    texts, as: form, to: target, at: recipient, utterance: utterance, urgency: urgency, now: time.now())
                switch admission {
                case .empty: speaker.resume(returning: .sent)
                case .full: speaker.resume(returning: .undelivered(.overloaded))
                case .queued:
                    speakers[utterance] = speaker
                    clearances[utterance] = clearance.map { Cleared(by: $0) }
                    drain()
                    lowerClearance(of: utterance)
                }
            }
        } onCancel: {
            Task { @NetworkThread in self.withdraw(utterance) }
        }
        // Whoever notes what became of it does so after all that was noted on the way.
        if clearance != nil { await lastAsked?.value }
        return delivery
    }

    /// Writes a command before everything that waits; what is said afterwards waits for it.
    func command(_ line: String) {
        guard !isClosed else { return }
        queue.enqueueCommand(line)
        drain()
    }

    /// The server has told that the line of this label was passed on.
    func prove(_ label: String) {
        if let utterance = proofs.prove(label) { answer([utterance], nil) }
    }

    /// The server has told that it was not; what waits of its utterance would fare no better.
    func refuse(_ label: String, _ reason: String) {
        guard let utterance = proofs.utterance(of: label) else { return }
        queue.withdraw(utterance)
        answer([utterance], .refused(reason))
    }

    /// The server took something for this target not, and does not say which line it was.
    func refuse(_ target: Target, _ reason: String) { answer(queue.discard(target), .refused(reason)) }

    /// The server took a message of several lines not, and does not say which: the last one, presumably. Gives whom it was
    /// for where its speaker believes it said, nil where they have learned of it by this.
    func refuseBatch(_ reason: String) -> Target? {
        guard let (utterance, target) = lastBatch else { return nil }
        lastBatch = nil
        guard speakers[utterance] != nil else { return target }
        queue.withdraw(utterance)
        answer([utterance], .refused(reason))
        return nil
    }

    /// Keeps silent for so long, and is slower afterwards for a while.
    func slowDown(for wait: Duration) {
        guard !isClosed else { return }
        queue.slowDown(for: wait, now: time.now())
        drain()
    }

    func discard(for target: Target) { answer(queue.discard(target), .discarded) }

    func discard(for target: Target, unlessAt address: String) {
        answer(queue.discard(target, unlessAt: address), .discarded)
    }

    func discard(in channel: ChannelName) { answer(queue.discard(in: channel), .discarded) }

    func retarget(from old: Nick, to new: Nick) { queue.retarget(.nick(old), to: .nick(new)) }

    func retarget(in old: ChannelName, to new: ChannelName) { queue.retarget(in: old, to: new) }

    func remap(_ mapping: CaseMapping) { queue.remap(mapping) }

    /// Whoever what waits is for may be gone, and what is written was perhaps never passed on.
    func restart() {
        _ = queue.discardAll()
        answer(Array(speakers.keys), .offline)
        _ = proofs.forgetAll()
        lastTarget = nil
        lastBatch = nil
        drain()
    }

    /// Nothing more is to be said; what is written may still be answered.
    func stop() {
        isClosed = true
        alarm.cancel()
        answer(queue.discardAll(), .offline)
    }

    /// The connection is over.
    func close() {
        stop()
        answer(Array(speakers.keys), .offline)
    }

    /// Takes back what of an utterance is not written yet.
    private func withdraw(_ utterance: Int) {
        guard speakers[utterance] != nil else { return }
        queue.withdraw(utterance)
        answer([utterance], .discarded)
    }

    /// Only where what has come is read may anything be called late.
    private func giveUpLate() {
        answer(queue.expire(now: time.now()), .expired)
        answer(proofs.overdue(now: time.now()), .unproven)
        drain()
    }

    private func drain() {
        while !isClosed, isNextCleared(), let portion = queue.next(now: time.now()) { write(portion) }
        guard !isClosed, let wait = nextWake else { return alarm.cancel() }
        alarm.set(after: wait) { [weak self] in self?.giveUpLate() }
    }

    private var nextWake: Duration? {
        let now = time.now()
        return [asked > 0 ? nil : queue.nextWake(now: now), proofs.nextDeadline.map { $0 - now }].compactMap(\.self)
            .min()
    }

    private func write(_ portion: SendQueue.Portion) {
        guard let utterance = portion.utterance, let target = portion.target else { onPortion?(portion, nil); return }
        lastTarget = target
        clearances[utterance]?.written += portion.textCount
        if portion.isBatch { lastBatch = (utterance, target) }
        let label = isProofOffered ? proofs.expect(utterance, isLast: portion.isLast, now: time.now()) : nil
        onPortion?(portion, label)
        if label == nil, portion.isLast { answer([utterance], isClosed ? .offline : nil) }
    }

    /// A nil reason: it was sent.
    private func answer(_ utterances: [Int], _ reason: Delivery.Reason?) {
        for utterance in utterances {
            proofs.forget(utterance)
            clearances[utterance] = nil
            speakers.removeValue(forKey: utterance)?.resume(returning: reason.map(Delivery.undelivered) ?? .sent)
        }
    }
}

/// How far an utterance may be written, and is.
private struct Cleared {
    let clearance: Clearance
    var texts: Int
    var written = 0

    init(by clearance: Clearance) {
        self.clearance = clearance
        texts = clearance.atOnce
    }
}

extension Outbox {
    /// Whether what is due may be written. Where it may not, that is asked for, and things go on when it is granted; an
    /// utterance that was given up meanwhile is not in the queue any more.
    private func isNextCleared() -> Bool {
        guard asked == 0 || queue.hasCommands else { return false }
        guard !clearances.isEmpty, let due = queue.due(now: time.now()), let cleared = clearances[due.utterance],
            due.texts > cleared.texts
        else { return true }
        ask(cleared.clearance, for: due.utterance, due.texts)
        return false
    }

    /// What was to be written at once and has to wait, is cleared again when its time has come.
    private func lowerClearance(of utterance: Int) {
        guard let cleared = clearances[utterance], cleared.texts == cleared.clearance.atOnce,
            cleared.written < cleared.texts
        else { return }
        ask(cleared.clearance, for: utterance, cleared.written)
    }

    private func ask(_ clearance: Clearance, for utterance: Int, _ texts: Int) {
        asked += 1
        clearances[utterance]?.texts = texts
        let before = lastAsked
        lastAsked = Task {
            await before?.value
            // Whoever clears it is on an actor that goes on here as well.
            await withTaskExecutorPreference(NetworkThread.taskExecutor) { await clearance.ask(texts) }
            asked -= 1
            if asked == 0 {
                lastAsked = nil
                drain()
            }
        }
    }
}
