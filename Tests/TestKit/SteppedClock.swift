import Glibc
import Runtime

/// The clocks of a process that a test starts, which the test can step while it runs.
public final class SteppedClock: Sendable {
    private let path: String

    public init(in scratch: Scratch) throws {
        path = scratch.file("clock")
        try step(by: .zero)
    }

    /// What the process is to be started with.
    public var environment: [String: String] {
        ["LD_PRELOAD": Places.products + "/libsteppedclock.so", "STEPPED_CLOCK_FILE": path]
    }

    /// From now on its wall clock is off by so much, and its monotonic clock by that.
    public func step(by wall: Duration, monotonic: Duration = .zero) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SocketFailure(message: "no file for a clock: errno \(errno)") }
        defer { close(file) }
        var nanoseconds = [wall, monotonic].map { Int64($0 / .nanoseconds(1)) }
        let count = unsafe pwrite(file, &nanoseconds, 16, 0)
        guard count == 16 else { throw SocketFailure(message: "a clock cannot be set: errno \(errno)") }
    }
}
