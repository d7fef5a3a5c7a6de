import Testing

@testable import Dialogue

@Suite struct RegistrationThrottleTests {
    private let now = Duration.seconds(1000)

    @Test func `one address makes one account an hour`() {
        var throttle = RegistrationThrottle()
        #expect(throttle.admit("net a@b", now: now) == nil)
        #expect(throttle.admit("net a@b", now: now + .seconds(600)) == .seconds(3000))
        #expect(throttle.admit("net c@b", now: now + .seconds(600)) == nil)
        #expect(throttle.admit("net a@b", now: now + .seconds(3600)) == nil)
    }

    @Test func `all together make thirty in ten minutes`() {
        var throttle = RegistrationThrottle()
        for number in 1...30 { #expect(throttle.admit("net \(number)@b", now: now) == nil) }
        #expect(throttle.admit("net x@b", now: now + .seconds(1)) == .seconds(599))
        #expect(throttle.admit("net x@b", now: now + .seconds(600)) == nil)
    }

    @Test func `a taken name costs a try and no account`() {
        var throttle = RegistrationThrottle()
        for _ in 1...10 {
            #expect(throttle.admit("net a@b", now: now) == nil)
            throttle.madeNone("net a@b", admittedAt: now)
        }
        #expect(throttle.admit("net a@b", now: now) == .seconds(600))
        #expect(throttle.admit("net a@b", now: now + .seconds(600)) == nil)
    }

    @Test func `many addresses try names only so often`() {
        var throttle = RegistrationThrottle()
        var admitted = 0
        for number in 1...1000 where throttle.admit("net \(number)@b", now: now) == nil {
            admitted += 1
            throttle.madeNone("net \(number)@b", admittedAt: now)
        }
        #expect(admitted == 300)
    }
}
