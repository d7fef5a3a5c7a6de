import Glibc

/// Signals as a stream, from a thread that waits for them.
public enum Signals {
    /// Blocks these signals in the calling thread and all it starts, and yields each one that comes.
    ///
    /// Call it first in the process, before any other thread exists: a thread that does not block a signal may be the one
    /// it kills (`pthread_sigmask`, `sigwait`).
    public static func stream(of signals: [Int32]) -> AsyncStream<Int32> {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(8))
        let waited = set
        Thread.start(name: "signals") {
            var set = waited
            while true {
                var signal: Int32 = 0
                guard unsafe sigwait(&set, &signal) == 0 else { continue }
                continuation.yield(signal)
            }
        }
        return stream
    }

    /// A peer that went away must be an error of `write`, not the end of the process.
    public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
