import Domain
import Testing

@testable import Accounts

@Suite struct RegistrationThrottleTests {
    private let now = Duration.seconds(1000)

    private func host(_ name: String) -> Origin.Host { Origin(user: "u", host: name).host }

    @Test func `one host makes three accounts an hour`() {
        var throttle = RegistrationThrottle()
        for _ in 1...3 { #expect(throttle.admit(host("b"), now: now) == nil) }
        #expect(throttle.admit(host("b"), now: now + .seconds(600)) == .ofAddress(most: 3, wait: .seconds(3000)))
        #expect(throttle.admit(host("c"), now: now + .seconds(600)) == nil)
        #expect(throttle.admit(host("b"), now: now + .seconds(3600)) == nil)
    }

    @Test func `all together make thirty in ten minutes`() {
        var throttle = RegistrationThrottle()
        for number in 1...30 { #expect(throttle.admit(host("\(number)"), now: now) == nil) }
        #expect(throttle.admit(host("x"), now: now + .seconds(1)) == .ofAll(wait: .seconds(599)))
        #expect(throttle.admit(host("x"), now: now + .seconds(600)) == nil)
    }

    @Test func `a taken name costs a try and no account`() {
        var throttle = RegistrationThrottle()
        for _ in 1...30 {
            #expect(throttle.admit(host("b"), now: now) == nil)
            throttle.madeNone(host("b"), admittedAt: now)
        }
        #expect(throttle.admit(host("b"), now: now) == .ofAttempts(wait: .seconds(600)))
        #expect(throttle.admit(host("b"), now: now + .seconds(600)) == nil)
    }

    @Test func `many hosts try names only so often`() {
        var throttle = RegistrationThrottle()
        var admitted = 0
        for number in 1...1000 where throttle.admit(host("\(number)"), now: now) == nil {
            admitted += 1
            throttle.madeNone(host("\(number)"), admittedAt: now)
        }
        #expect(admitted == 300)
    }
}
