import Glibc
import Runtime
import Synchronization

/// The signals that end the process: the first in good order, the second at once.
///
/// SIGHUP is one of them until somebody takes it for what it means to a service: to read its configuration again.
final class StopRequest: Sendable {
    private let first: AsyncStream<Int32>
    private let onHangUp = Mutex<(@Sendable () -> Void)?>(nil)

    /// Listens from now on, whatever else the process does; to be made on the main thread, before there is any other.
    init() {
        let signals = Signals.stream(of: [SIGTERM, SIGINT, SIGHUP])
        Signals.ignoreBrokenPipes()
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        first = stream
        Task {
            var hasCome = false
            for await signal in signals {
                if signal == SIGHUP, let heard = onHangUp.withLock({ $0 }) {
                    heard()
                    continue
                }
                // As a shell reports a program that a signal ended. Whatever was promised to be stored is stored.
                if hasCome { leave(128 + signal) }
                hasCome = true
                continuation.yield(signal)
            }
        }
    }

    /// From now on SIGHUP does this and ends nothing.
    func onHangUp(_ body: @escaping @Sendable () -> Void) { onHangUp.withLock { $0 = body } }

    /// Returns when the first signal has come, or when the waiting task is cancelled.
    func wait() async {
        for await _ in first { return }
    }
}
