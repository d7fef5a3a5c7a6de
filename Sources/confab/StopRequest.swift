import Glibc
import Runtime

/// The signals that end the process: the first in good order, the second at once.
final class StopRequest: Sendable {
    private let first: AsyncStream<Int32>

    /// Listens from now on, whatever else the process does; to be made on the main thread, before there is any other.
    init() {
        let signals = Signals.stream(of: [SIGTERM, SIGINT, SIGHUP])
        Signals.ignoreBrokenPipes()
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        first = stream
        Task {
            var hasCome = false
            for await signal in signals {
                // As a shell reports a program that a signal ended. Whatever was promised to be stored is stored.
                if hasCome { _exit(128 + signal) }
                hasCome = true
                continuation.yield(signal)
            }
        }
    }

    /// Returns when the first signal has come, or when the waiting task is cancelled.
    func wait() async {
        for await _ in first { return }
    }
}
