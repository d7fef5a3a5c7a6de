import Runtime
import Testing

struct BackoffTests {
    private let plain = Backoff(first: .seconds(1), second: .seconds(5), longest: .seconds(60), jitter: 0.3)

    @Test func `waits double from the second one to the longest`() {
        var backoff = plain
        let waits = (0..<7).map { _ in backoff.next(chance: 0.5) }
        #expect(waits == [1, 5, 10, 20, 40, 60, 60].map { .seconds($0) })
    }

    @Test func `the longest wait holds however long it goes on`() {
        var backoff = plain
        for _ in 0..<1000 { _ = backoff.next(chance: 0.5) }
        #expect(backoff.next(chance: 0.5) == .seconds(60))
    }

    @Test func `chance takes or adds no more than the jitter`() {
        var (short, long, any) = (plain, plain, plain)
        #expect(short.next(chance: 0) == .milliseconds(700))
        #expect(long.next(chance: 1) == .milliseconds(1300))
        #expect((.milliseconds(700)...(.milliseconds(1300))).contains(any.next()))
    }

    @Test func `after success the first wait is short again`() {
        var backoff = plain
        for _ in 0..<5 { _ = backoff.next(chance: 0.5) }
        backoff.reset()
        #expect(backoff.next(chance: 0.5) == .seconds(1))
        #expect(backoff.next(chance: 0.5) == .seconds(5))
    }
}
