import Testing

@testable import IRCProtocol

@Suite("The watchdog")
struct WatchdogTests {
    @Test("asks after 75 s of silence and gives up 60 s later")
    func silence() {
        var dog = Watchdog(now: .seconds(100))
        #expect(dog.step(at: .seconds(100)) == .wait(.seconds(75)))
        #expect(dog.step(at: .seconds(174)) == .wait(.seconds(1)))
        #expect(dog.step(at: .seconds(175)) == .ping)
        #expect(dog.step(at: .seconds(176)) == .wait(.seconds(59)))
        #expect(dog.step(at: .seconds(235)) == .dead)
    }

    @Test("starts anew with whatever is heard")
    func heard() {
        var dog = Watchdog(now: .zero)
        #expect(dog.step(at: .seconds(75)) == .ping)
        dog.heard(at: .seconds(80))
        #expect(dog.step(at: .seconds(140)) == .wait(.seconds(15)))
        #expect(dog.step(at: .seconds(155)) == .ping)
    }

    @Test("measures how long an answer takes, of a server that is never silent too")
    func lag() {
        var dog = Watchdog(now: .zero)
        #expect(dog.lag(at: .seconds(1)) == nil)
        for second in 1..<75 { dog.heard(at: .seconds(second)) }
        #expect(dog.step(at: .seconds(75)) == .ping)
        dog.heard(at: .seconds(76))
        #expect(dog.lag(at: .seconds(78)) == .seconds(3), "the answer is on its way since then")
        dog.answered(at: .seconds(79))
        #expect(dog.lag(at: .seconds(200)) == .seconds(4))
        for second in 76..<375 { dog.heard(at: .seconds(second)) }
        #expect(dog.step(at: .seconds(374)) == .wait(.seconds(1)))
        #expect(dog.step(at: .seconds(375)) == .ping)
        dog.answered(at: .seconds(376))
        #expect(dog.lag(at: .seconds(376)) == .seconds(1))
        dog.answered(at: .seconds(399))
        #expect(dog.lag(at: .seconds(399)) == .seconds(1), "an answer to nothing")
    }
}
