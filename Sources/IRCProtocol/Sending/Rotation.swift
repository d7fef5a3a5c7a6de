package import Domain

/// Targets that have lines waiting and take turns, a line each or a message of several.
///
/// A plain value. Invariant: each target that has lines waiting is in the order once, and no other.
package struct Rotation: Sendable {
    /// The lines of one utterance, of which some are sent.
    package struct Entry: Sendable {
        package let utterance: Int
        package let form: Utterance.Form
        package let texts: [String]
        /// `user@host` of whom they are for; nil where that is not known.
        package var recipient: String?
        fileprivate(set) var sent = 0
    }

    private var waiting: [Target: Waiting] = [:]
    /// The first one is next.
    private var order = FIFO<Target>()
    /// Lines that wait.
    package private(set) var lineCount = 0

    package var isEmpty: Bool { lineCount == 0 }

    package func lineCount(for target: Target) -> Int { waiting[target]?.lineCount ?? 0 }

    /// What has its turn.
    package var front: (entry: Entry, target: Target)? {
        guard let queue = order.first.flatMap({ waiting[$0] }), let entry = queue.entries.first else { return nil }
        return (entry, queue.target)
    }

    package mutating func append(_ entry: Entry, for target: Target, now: Duration) {
        var queue = waiting.removeValue(forKey: target) ?? Waiting(target: target, progressed: now)
        if queue.lineCount == 0 { order.append(target) }
        queue.entries.append(entry)
        queue.lineCount += entry.texts.count
        lineCount += entry.texts.count
        waiting[target] = queue
    }

    /// Takes out so many texts and puts their target last.
    package mutating func removeFront(_ count: Int, _ now: Duration) {
        guard let target = order.popFirst(), var queue = waiting.removeValue(forKey: target) else { return }
        queue.removeFirst(count)
        queue.progressed = now
        lineCount -= count
        guard queue.lineCount > 0 else { return }
        waiting[target] = queue
        order.append(target)
    }

    /// Forgets what waits for a target; gives the utterances this ends.
    package mutating func discard(_ target: Target) -> [Int] {
        guard let queue = waiting.removeValue(forKey: target) else { return [] }
        order.removeAll { $0 == target }
        lineCount -= queue.lineCount
        return queue.utterances
    }

    /// Forgets what waits for a target and is for somebody at another address; gives the utterances this ends.
    package mutating func discard(_ target: Target, unlessAt address: String) -> [Int] {
        let others = waiting[target]?.entries.elements.filter { $0.recipient.map { $0 != address } ?? false } ?? []
        for entry in others { withdraw(entry.utterance) }
        return others.map(\.utterance)
    }

    /// Forgets what waits for a channel and for its ranks; gives the utterances this ends.
    package mutating func discard(in channel: ChannelName) -> [Int] {
        order.elements.filter { $0.channel == channel }.flatMap { discard($0) }
    }

    /// Forgets what waits of one utterance.
    package mutating func withdraw(_ utterance: Int) {
        guard let target = waiting.first(where: { $0.value.utterances.contains(utterance) })?.key,
            var queue = waiting.removeValue(forKey: target)
        else { return }
        lineCount -= queue.remove(utterance)
        if queue.lineCount > 0 { waiting[target] = queue } else { order.removeAll { $0 == target } }
    }

    /// Forgets everything; gives the utterances this ends.
    package mutating func discardAll() -> [Int] {
        defer { self = Rotation() }
        return order.elements.flatMap { waiting[$0]?.utterances ?? [] }
    }

    /// Forgets what waits for targets that got nothing out for so long; gives the utterances this ends.
    package mutating func expire(after expiry: Duration, now: Duration) -> [Int] {
        let late = order.elements.filter { target in
            waiting[target].map { now - $0.progressed >= expiry } ?? false
        }
        return late.flatMap { discard($0) }
    }

    /// Makes every key again by the casemapping that holds now; what waits for two targets that became one goes in turn.
    package mutating func remap(_ mapping: CaseMapping) {
        let targets = Array(order.elements)
        order = FIFO()
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
                order.append(renewed)
            }
        }
        waiting = remapped
    }

    /// A channel goes by another name.
    package mutating func retarget(in old: ChannelName, to new: ChannelName) {
        for target in order.elements where target.channel == old { retarget(target, to: target.moved(to: new)) }
    }

    /// What waits for a target goes to another, behind what waits there already.
    package mutating func retarget(_ old: Target, to new: Target) {
        guard var moved = waiting.removeValue(forKey: old) else { return }
        if var queue = waiting.removeValue(forKey: new) {
            order.removeAll { $0 == old }
            queue.append(moved)
            waiting[new] = queue
        } else {
            order.replace(old, with: new)
            moved.target = new
            waiting[new] = moved
        }
    }
}

/// What waits for one target.
private struct Waiting: Sendable {
    var target: Target
    var entries = FIFO<Rotation.Entry>()
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
