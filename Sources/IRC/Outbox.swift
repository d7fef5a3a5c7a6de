import Domain
import Network
import Runtime

/// What one connection has to say, and who waits to hear what became of it.
///
/// `SendQueue` decides what goes when; this keeps its clock and answers its speakers, each exactly once.
@NetworkThread
final class Outbox {
    /// Takes each line when its time has come.
    var onLine: (@NetworkThread (SendQueue.Line) -> Void)?
    private var queue: SendQueue
    private var speakers: [Int: CheckedContinuation<Delivery, Never>] = [:]
    private var nextUtterance = 0
    private var isClosed = false
    private let time: Time
    private let alarm: Alarm

    nonisolated init(pace: Pace, time: Time) {
        queue = SendQueue(burst: pace.burst, interval: pace.interval)
        self.time = time
        alarm = Alarm(time)
    }

    /// Lines that wait to be said.
    var lineCount: Int { queue.lineCount }

    /// Returns when the last text was written, or when it is certain that it never will be.
    func say(_ texts: [String], as form: Utterance.Form, to target: Target) async -> Delivery {
        guard !isClosed else { return .undelivered(.offline) }
        nextUtterance += 1
        let utterance = nextUtterance
        switch queue.enqueue(texts, as: form, to: target, utterance: utterance, now: time.now()) {
        case .empty: return .sent
        case .full: return .undelivered(.overloaded)
        case .queued: break
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { speaker in
                speakers[utterance] = speaker
                drain()
            }
        } onCancel: {
            Task { @NetworkThread in self.withdraw(utterance) }
        }
    }

    /// Writes a command before everything that waits; what is said afterwards waits for it.
    func command(_ line: String) {
        guard !isClosed else { return }
        queue.enqueueCommand(line)
        drain()
    }

    func discard(for target: Target) { answer(queue.discard(target), .discarded) }

    func discard(in channel: ChannelName) { answer(queue.discard(in: channel), .discarded) }

    func retarget(from old: Nick, to new: Nick) { queue.retarget(.nick(old), to: .nick(new)) }

    func retarget(in old: ChannelName, to new: ChannelName) { queue.retarget(in: old, to: new) }

    func remap(_ mapping: CaseMapping) { queue.remap(mapping) }

    /// The connection is over, or nothing more is to be said on it.
    func close() {
        isClosed = true
        alarm.cancel()
        answer(queue.discardAll(), .offline)
    }

    /// Takes back what of an utterance is not written yet.
    private func withdraw(_ utterance: Int) {
        guard speakers[utterance] != nil else { return }
        queue.withdraw(utterance)
        answer([utterance], .discarded)
    }

    private func drain() {
        answer(queue.expire(now: time.now()), .expired)
        while !isClosed, let line = queue.next(now: time.now()) {
            onLine?(line)
            if line.isLast, let utterance = line.utterance { answer([utterance], isClosed ? .offline : nil) }
        }
        guard !isClosed, let wait = queue.nextWake(now: time.now()) else { return alarm.cancel() }
        alarm.set(after: wait) { [weak self] in self?.drain() }
    }

    /// A nil reason: it was sent.
    private func answer(_ utterances: [Int], _ reason: Delivery.Reason?) {
        for utterance in utterances {
            speakers.removeValue(forKey: utterance)?.resume(returning: reason.map(Delivery.undelivered) ?? .sent)
        }
    }
}
