import Domain
import Runtime
import Synchronization
import TestKit

/// A chat network that a test plays by hand: it sends what the test says and keeps what the bot says.
///
/// Lines are not split, since tests use short ones; `maxLines` and the continuation are minded as the real link does, and what
/// concerns nobody is left out as it does.
final class ScriptedLink: ChatLink {
    private struct State {
        var transcript: [String] = []
        var discarded: [String] = []
        var isHolding = false
        var held: [(id: Int, utterance: Utterance, continuation: CheckedContinuation<Delivery, Never>)] = []
        var carriesTyping = false
        var isWatching = false
        var asked: [String] = []
        var lastID = 0
        var urgencies: [String: [Utterance.Urgency]] = [:]
        var refusal: Delivery.Reason?
        /// What renamed channels go by now, by the names they had when the bot entered.
        var newNames: [ChannelName: ChannelName] = [:]
    }

    let events: AsyncStream<ChatEvent>
    private let continuation: AsyncStream<ChatEvent>.Continuation
    private let state = Mutex(State())
    private let overlooking: Overlooking

    init(clock: ManualTime) {
        let overlooking = Overlooking { clock.time.now() }
        self.overlooking = overlooking
        let (sent, continuation) = AsyncStream.makeStream(of: ChatEvent.self)
        self.continuation = continuation
        events = AsyncStream {
            for await event in sent where overlooking.tells(event) { return event }
            return nil
        }
    }

    func send(_ event: ChatEvent) {
        if case .channelRenamed(let old, let new) = event.kind {
            state.withLock { state in
                state.newNames[state.newNames.first { $0.value == old }?.key ?? old] = new
            }
        }
        continuation.yield(event)
    }

    func end() { continuation.finish() }

    /// What was said, as a client would show it: `-alice- text` for a notice, `#confab <bot> text` for a message.
    var transcript: [String] { state.withLock { $0.transcript } }

    /// How urgent what was said to each target was, in order.
    var urgencies: [String: [Utterance.Urgency]] { state.withLock { $0.urgencies } }

    /// The nicks whose waiting lines were given up.
    var discarded: [String] { state.withLock { $0.discarded } }

    /// From now on nothing is taken from the bot, for this reason; nil to take everything again.
    func refuse(_ reason: Delivery.Reason?) { state.withLock { $0.refusal = reason } }

    /// From now on lines wait, as they do behind others on a slow network.
    func hold() { state.withLock { $0.isHolding = true } }

    /// How many utterances wait.
    var waitingCount: Int { state.withLock { $0.held.count } }

    /// The first lines of what waits.
    var waiting: [String] { state.withLock { $0.held.map { $0.utterance.lines.first ?? "" } } }

    /// What waits is given up, and nothing waits any more.
    func fail(_ reason: Delivery.Reason) {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for (_, _, continuation) in held { continuation.resume(returning: .undelivered(reason)) }
    }

    /// What waits is said, and nothing waits any more.
    func flow() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            for (_, utterance, _) in state.held { Self.write(utterance, to: &state) }
            return state.held
        }
        for (_, _, continuation) in held { continuation.resume(returning: .sent) }
    }

    /// On the bot itself, as the port demands: what it says stands in the order in which it decided.
    nonisolated(nonsending) func speak(_ utterance: Utterance, by clearance: Clearance?) async -> Delivery {
        let count = utterance.countSaid(of: utterance.lines.count)
        let mayWrite = state.withLock { !$0.isHolding }
        if let clearance, (mayWrite ? count : 0) != clearance.atOnce { await clearance.ask(mayWrite ? count : 0) }
        let delivery = await say(utterance)
        if !mayWrite, delivery == .sent { await clearance?.ask(count) }
        return delivery
    }

    private nonisolated(nonsending) func say(_ utterance: Utterance) async -> Delivery {
        let (id, delivery): (Int, Delivery?) = state.withLock { state in
            state.lastID += 1
            state.urgencies[utterance.target.spelling, default: []].append(utterance.urgency)
            if let refusal = state.refusal { return (0, .undelivered(refusal)) }
            // As many as the real link lets wait for one person.
            if utterance.lines.count > 400, utterance.maxLines == nil { return (0, .undelivered(.overloaded)) }
            if state.isHolding { return (state.lastID, nil) }
            Self.write(utterance, to: &state)
            return (0, .sent)
        }
        if let delivery { return delivery }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHeld = state.withLock { state in
                    if state.isHolding {
                        state.held.append((id, utterance, continuation))
                    } else {
                        Self.write(utterance, to: &state)
                    }
                    return state.isHolding
                }
                if !isHeld { continuation.resume(returning: .sent) }
            }
        } onCancel: {
            let given = state.withLock { state in
                defer { state.held.removeAll { $0.id == id } }
                return state.held.filter { $0.id == id }
            }
            for (_, _, continuation) in given { continuation.resume(returning: .undelivered(.discarded)) }
        }
    }

    func overlook(_ bystander: Bystander, on connection: ConnectionID) {
        overlooking.add(bystander, on: connection)
    }

    /// Lines that the bot did not hear, since it need not.
    var overlookedCount: Int { overlooking.count }

    func extent(of utterance: Utterance) async -> Extent {
        let count = utterance.countSaid(of: utterance.lines.count)
        let isWhole = count == utterance.lines.count
        var extent = Extent(wireLines: count, rest: isWhole ? nil : Extent.Rest(line: count, byte: 0))
        extent.atOnce = state.withLock { $0.isHolding ? 0 : count }
        return extent
    }

    func showTyping(in target: Target, on connection: ConnectionID) async -> Bool {
        state.withLock { state in
            if state.carriesTyping { state.transcript.append("\(target.spelling) (bot is typing)") }
            return state.carriesTyping
        }
    }

    /// From now on the network carries the tag that shows it.
    func carryTyping() { state.withLock { $0.carriesTyping = true } }

    /// Takes every nick to be watched; the test sends what the server says of it.
    func watch(_ nick: Nick, on connection: ConnectionID) async -> Bool {
        state.withLock { state in
            if state.isWatching { state.asked.append("+\(nick)") }
            return state.isWatching
        }
    }

    func unwatch(_ nick: Nick, on connection: ConnectionID) async {
        state.withLock { $0.asked.append("-\(nick)") }
    }

    /// From now on the network tells of the leaving of those it is asked about.
    func offerWatching() { state.withLock { $0.isWatching = true } }

    /// Whom it was asked to watch, `+alice`, and to watch no longer, `-alice`.
    var asked: [String] { state.withLock { $0.asked } }

    func discard(for nick: Nick, on connection: ConnectionID) async {
        let given = state.withLock { state in
            state.discarded.append(nick.spelling)
            let isTheirs = { (utterance: Utterance) in
                utterance.connection == connection && utterance.target == .nick(nick)
            }
            defer { state.held.removeAll { isTheirs($0.utterance) } }
            return state.held.filter { isTheirs($0.utterance) }
        }
        for (_, _, continuation) in given { continuation.resume(returning: .undelivered(.discarded)) }
    }

    private static func write(_ utterance: Utterance, to state: inout State) {
        let kept = utterance.lines.prefix(utterance.countSaid(of: utterance.lines.count))
        var lines = Array(kept)
        let left = utterance.lines.count - kept.count
        if left > 0, !utterance.continuation.isEmpty {
            lines.append(utterance.continuation.replacing("{n}", with: "\(left)"))
        }
        for (index, line) in lines.enumerated() {
            let text = (index == 0 ? utterance.address : "") + utterance.prefix + line
            let target = utterance.target.channel.flatMap { state.newNames[$0] }.map { utterance.target.moved(to: $0) }
            switch (target ?? utterance.target, utterance.form) {
            case (.nick(let nick), .notice): state.transcript.append("-\(nick)- \(text)")
            case (let place, _): state.transcript.append("\(place.spelling) <bot> \(text)")
            }
        }
    }
}
