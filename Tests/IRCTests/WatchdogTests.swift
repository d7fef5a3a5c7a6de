import Testing

@testable import IRC

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
}
