import Synchronization

/// One value on its way from a thread to the one task that waits for it, whichever comes first.
final class Handover<Value: Sendable>: Sendable {
    private enum State {
        case nobody
        case waiting(CheckedContinuation<Value, Never>)
        case given(Value)
    }

    private let state = Mutex(State.nobody)

    /// To be called once.
    func give(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            if case .waiting(let continuation) = state { return continuation }
            state = .given(value)
            return nil
        }
        waiting?.resume(returning: value)
    }

    /// To be asked once.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let given: Value? = state.withLock { state in
                    if case .given(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
