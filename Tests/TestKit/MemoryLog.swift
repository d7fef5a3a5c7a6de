public import Runtime
import Synchronization

/// A log that keeps its lines, for tests that read what an operator would.
public final class MemoryLog: Sendable {
    private let kept = Mutex<[String]>([])

    public init() {}

    /// Everything written so far, oldest first.
    public var lines: [String] { kept.withLock { $0 } }

    /// Keeps every level, debug too: what must not be logged must not be there at any level.
    public var log: Log { Log(level: .debug) { line in self.kept.withLock { $0.append(line) } } }
}
