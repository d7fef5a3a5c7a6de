import Testing

@testable import IRCProtocol

@Suite("The pace of a connection")
struct PacerTests {
    private var pacer = Pacer(burst: 4, interval: .seconds(2))

    /// How long ten short lines in a row take from here on.
    private mutating func timeOfTen(from start: Duration) -> Duration {
        var now = start
        for _ in 1...10 {
            pacer.turn(to: now)
            now += pacer.delay([40])
            pacer.turn(to: now)
            #expect(pacer.delay([40]) == .zero)
            pacer.charge([40])
        }
        return now - start
    }

    @Test("each complaint halves the pace, to an eighth at the least; a burst of complaints counts once")
    mutating func slower() {
        #expect(timeOfTen(from: .zero) == .seconds(12))
        pacer.slowDown(for: .zero, now: .seconds(100))
        pacer.slowDown(for: .zero, now: .seconds(101))
        #expect(timeOfTen(from: .seconds(101)) >= .seconds(39))
        for step in 1...9 { pacer.slowDown(for: .zero, now: .seconds(200 + step * 20)) }
        let eighth = timeOfTen(from: .seconds(380))
        #expect(eighth >= .seconds(159) && eighth <= .seconds(161))
    }

    @Test("ten minutes without a complaint bring the configured pace back, and never more")
    mutating func recovered() {
        pacer.slowDown(for: .zero, now: .zero)
        #expect(timeOfTen(from: .seconds(500)) == .seconds(32))
        #expect(timeOfTen(from: .seconds(1200)) == .seconds(12))
    }

    @Test("what is asked for in silence is kept")
    mutating func silence() {
        pacer.slowDown(for: .seconds(30), now: .zero)
        pacer.turn(to: .seconds(10))
        #expect(pacer.delay([40]) == .seconds(20))
        pacer.turn(to: .seconds(30))
        #expect(pacer.delay([40]) == .zero)
    }

    @Test("even a bot without a limit slows down, for as long as it must")
    mutating func unlimited() {
        pacer = Pacer(burst: 4, interval: .zero)
        #expect(timeOfTen(from: .zero) == .zero)
        pacer.slowDown(for: .zero, now: .zero)
        #expect(timeOfTen(from: .zero) >= .seconds(9))
        #expect(timeOfTen(from: .seconds(700)) == .zero)
    }
}
