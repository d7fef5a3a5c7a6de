/// Lines that were written and whose fate the server is yet to tell.
///
/// Where the server echoes what it passes on and labels its answers, every line, or batch of them, carries a label of its
/// own, and is delivered when what comes back under that label is no refusal. An utterance is delivered when all of it is.
/// https://ircv3.net/specs/extensions/labeled-response and https://ircv3.net/specs/extensions/echo-message
package struct DeliveryProofs: Sendable {
    /// For the last proof to come, from when an utterance was wholly written. A server that takes lines slowly (fake lag)
    /// may need tens of seconds; one that needs more than this is as good as silent.
    package static let limit = Duration.seconds(60)

    private struct Pending {
        var labels: Set<String> = []
        /// When its last line was written; nil before.
        var writtenAt: Duration?
    }

    private var utterances: [String: Int] = [:]
    private var pending: [Int: Pending] = [:]
    private var lastLabel = 0

    package init() {}

    /// A line of this utterance is being written: gives the label that is to go with it.
    package mutating func expect(_ utterance: Int, isLast: Bool, now: Duration) -> String {
        lastLabel += 1
        let label = String(lastLabel)
        utterances[label] = utterance
        pending[utterance, default: Pending()].labels.insert(label)
        if isLast { pending[utterance]?.writtenAt = now }
        return label
    }

    /// The line has arrived; gives its utterance where that is now wholly delivered.
    package mutating func prove(_ label: String) -> Int? {
        guard let utterance = utterances.removeValue(forKey: label) else { return nil }
        pending[utterance]?.labels.remove(label)
        guard let left = pending[utterance], left.labels.isEmpty, left.writtenAt != nil else { return nil }
        pending[utterance] = nil
        return utterance
    }

    /// The utterance of a line that has not answered yet.
    package func utterance(of label: String) -> Int? { utterances[label] }

    /// Its fate is decided; what still comes for it is of no interest.
    package mutating func forget(_ utterance: Int) {
        for label in pending.removeValue(forKey: utterance)?.labels ?? [] { utterances[label] = nil }
    }

    /// The server tells no more. Gives the utterances that were wholly written.
    package mutating func forgetAll() -> [Int] {
        defer {
            utterances = [:]
            pending = [:]
        }
        return pending.filter { $0.value.writtenAt != nil }.map(\.key)
    }

    /// The utterances whose last proof should have come by now.
    package func overdue(now: Duration) -> [Int] {
        pending.filter { $0.value.writtenAt.map { now - $0 >= Self.limit } ?? false }.map(\.key)
    }

    /// When `overdue` will have something next; nil where nothing is waited for.
    package var nextDeadline: Duration? { pending.values.compactMap(\.writtenAt).min().map { $0 + Self.limit } }
}

/// Which of the server's lines answer a labelled line of ours: one line, or a batch of them, carries the label. In that
/// batch there may be another, where a message of several lines is echoed.
package struct LabeledAnswers: Sendable {
    /// A server that opens batches and never closes them must not fill the memory.
    private static let maxOpen = 64

    private var open: [String: (label: String, isInner: Bool)] = [:]

    package init() {}

    /// The label that a line answers, and whether it is the end of that answer; nil for a line that answers none.
    package mutating func label(of message: IRCMessage) -> (label: String, isEnd: Bool)? {
        guard message.command == "BATCH", let reference = message[0] else {
            if let label = message.tag("label") { return (label, true) }
            return outer(message).map { ($0, false) }
        }
        let name = String(reference.dropFirst())
        if reference.first == "-" { return open.removeValue(forKey: name).map { ($0.label, !$0.isInner) } }
        let outer = outer(message)
        guard let label = outer ?? message.tag("label"), open.count < Self.maxOpen else { return nil }
        open[name] = (label, outer != nil)
        return (label, false)
    }

    private func outer(_ message: IRCMessage) -> String? {
        message.tag("batch").flatMap { open[$0]?.label }
    }
}
