import Glibc
import Runtime
import Testing

struct SignalsTests {
    // `Signals.stream` wants a process without other threads; the end-to-end tests end the bot by it.

    @Test func `a peer that went away is an error of write, not the end`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Signals.ignoreBrokenPipes()
            var ends: [Int32] = [-1, -1]
            unsafe pipe(&ends)
            close(ends[0])
            writeAll([1], to: ends[1])
            exit(errno == EPIPE ? 7 : 1)
        }
    }
}
