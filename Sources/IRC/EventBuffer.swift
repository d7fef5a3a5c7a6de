import Domain
import Synchronization

/// The events on their way from the network thread to the link's one reader.
///
/// Bounded by its writer: at `full` the connections stop reading until the reader is down to `low`, so nothing is ever
/// dropped. It also knows how far the reader has come: asking for the next event means that all before are dealt with.
final class EventBuffer: Sendable {
    static let full = 4096
    static let low = 1024

    private struct State {
        var events: [ChatEvent] = []
        /// Where the next one to hand out stands.
        var head = 0
        /// How many were handed out in all.
        var handedOut: UInt64 = 0
        /// How many the reader is done with.
        var handled: UInt64 = 0
        var reader: CheckedContinuation<ChatEvent?, Never>?
        var isFinished = false
        /// Writers that stopped reading from their networks until there is room.
        var writers: [CheckedContinuation<Void, Never>] = []

        var count: Int { events.count - head }

        /// Asking for the next means that the reader is done with those before; it waits where there is none.
        mutating func take(
            for reader: CheckedContinuation<ChatEvent?, Never>
        ) -> (event: ChatEvent?, isOver: Bool, writers: [CheckedContinuation<Void, Never>]) {
            handled = handedOut
            let event = pop()
            if event == nil, !isFinished { self.reader = reader }
            guard count <= EventBuffer.low else { return (event, isFinished, []) }
            defer { writers = [] }
            return (event, isFinished, writers)
        }

        mutating func pop() -> ChatEvent? {
            guard head < events.count else { return nil }
            let event = events[head]
            head += 1
            handedOut += 1
            if head == events.count {
                events.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= EventBuffer.low {
                events.removeFirst(head)
                head = 0
            }
            return event
        }
    }

    private let state = Mutex(State())

    /// How many events the reader has dealt with.
    var handled: UInt64 { state.withLock { $0.handled } }

    /// The number of the event that the reader is dealing with, or dealt with last.
    var handedOut: UInt64 { state.withLock { $0.handedOut } }

    /// Adds one and tells its number, counted from 1, and whether the writer should stop for now. A reader that waits
    /// learns of it by `wake`.
    func append(_ event: ChatEvent) -> (number: UInt64, isFull: Bool) {
        state.withLock { state in
            guard !state.isFinished else { return (state.handedOut, false) }
            state.events.append(event)
            return (state.handedOut + UInt64(state.count), state.count >= Self.full)
        }
    }

    /// Hands the reader what has come; once for many events, since waking a thread costs more than an event.
    func wake() {
        let (reader, event) = state.withLock { state -> (CheckedContinuation<ChatEvent?, Never>?, ChatEvent?) in
            guard let reader = state.reader, let event = state.pop() else { return (nil, nil) }
            state.reader = nil
            return (reader, event)
        }
        reader?.resume(returning: event)
    }

    /// Returns when the reader is down to `low`, or gone.
    func room() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count <= Self.low || state.isFinished { return true }
                state.writers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// What is there is still read; then comes the end.
    func finish() {
        wake()
        let (reader, writers) = state.withLock { state in
            state.isFinished = true
            defer {
                state.reader = nil
                state.writers = []
            }
            return (state.reader, state.writers)
        }
        reader?.resume(returning: nil)
        for writer in writers { writer.resume() }
    }

    /// The next event, or nil at the end. For one reader.
    func next() async -> ChatEvent? {
        await withCheckedContinuation { continuation in
            let (event, isOver, writers) = state.withLock { $0.take(for: continuation) }
            for writer in writers { writer.resume() }
            if let event {
                continuation.resume(returning: event)
            } else if isOver {
                continuation.resume(returning: nil)
            }
        }
    }
}
