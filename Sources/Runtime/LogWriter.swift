import Glibc
import Synchronization

/// Writes lines to a descriptor from a thread of its own, so that nobody waits for whoever reads them.
///
/// A pipe that nobody reads, or a terminal that was stopped, takes no more some day, and a write to it waits for ever.
/// `O_NONBLOCK` is no way out: it belongs to the open file, which standard error shares with the shell that started the
/// program. So a bounded number of bytes waits here; what comes beyond them is counted and told of when there is room.
final class LogWriter: Sendable {
    /// Bytes that may wait: some thousands of lines.
    static let most = 256 << 10

    private struct State {
        var lines: [[UInt8]] = []
        var size = 0
        var lost = 0
        var hasThread = false
        /// Lines are on their way to the descriptor.
        var isWriting = false
    }

    private let descriptor: Int32
    private let tellLost: @Sendable (Int) -> String
    private let state = Mutex(State())
    private let wakeUp = Semaphore()

    /// `tellLost` makes the line that stands in place of so many.
    init(to descriptor: Int32, tellLost: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.tellLost = tellLost
    }

    /// Has a line written when its turn comes; it is lost where too many wait.
    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        let mustStart = state.withLock { state in
            guard state.size + bytes.count <= Self.most else {
                state.lost += 1
                return false
            }
            state.lines.append(bytes)
            state.size += bytes.count
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if mustStart { Thread.start(name: "log") { [self] in run() } }
        wakeUp.signal()
    }

    /// Returns when all lines are written, or after this long.
    func flush(within limit: Duration) {
        let deadline = Time.system.now() + limit
        while state.withLock({ !$0.lines.isEmpty || $0.isWriting }), Time.system.now() < deadline { usleep(2000) }
    }

    private func run() {
        while true {
            wakeUp.wait()
            while let bytes = next() {
                writeAll(bytes, to: descriptor)
                state.withLock { $0.isWriting = false }
            }
        }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.lines.isEmpty else { return nil }
            state.isWriting = true
            var bytes = Array(state.lines.joined())
            if state.lost > 0 { bytes += Array((tellLost(state.lost) + "\n").utf8) }
            (state.lines, state.size, state.lost) = ([], 0, 0)
            return bytes
        }
    }
}
