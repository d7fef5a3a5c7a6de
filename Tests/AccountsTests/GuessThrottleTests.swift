import Domain
import Testing

@testable import Accounts

@Suite struct GuessThrottleTests {
    private func attempt(_ host: String, _ account: String, home: Bool = false) -> GuessThrottle.Attempt {
        let origin = Origin(user: "u", host: host)
        return .init(host: origin.host, account: account, home: home ? origin : nil)
    }

    @Test func `the sixth wrong password from one source in ten minutes is not tried`() {
        var throttle = GuessThrottle()
        for second in 0..<5 {
            #expect(throttle.admit(attempt("evil", "user\(second)"), now: .seconds(second)) == nil)
        }
        #expect(throttle.admit(attempt("evil", "another"), now: .seconds(60)) == .seconds(540))
        #expect(throttle.admit(attempt("good", "another"), now: .seconds(60)) == nil)
        #expect(throttle.admit(attempt("evil", "another"), now: .seconds(600)) == nil)
    }

    @Test func `the delay for an account doubles with every wrong password, up to a quarter of an hour`() {
        var throttle = GuessThrottle(limits: .init(perHost: 1000, overall: 1000))
        var now = Duration.zero
        var waits: [Int64] = []
        for _ in 1...13 {
            #expect(throttle.admit(attempt("evil", "alice"), now: now) == nil)
            var probe = throttle
            let wait = probe.admit(attempt("evil", "alice"), now: now) ?? .zero
            waits.append(wait.components.seconds)
            now += wait
        }
        #expect(waits == [0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    }

    @Test func `guessing keeps the owner out nowhere: not at home, and not where they never were`() {
        var throttle = GuessThrottle()
        for second in 0..<600 {
            let host = "evil\(second % 50)"
            _ = throttle.admit(attempt(host, "alice"), now: .seconds(second))
            // Five wrong ones of the owner's own count for themselves.
            if second >= 595 {
                #expect(throttle.admit(attempt("home", "alice", home: true), now: .seconds(second)) == nil)
            }
        }
        #expect(throttle.admit(attempt("evil1", "alice"), now: .seconds(600)) != nil)
        #expect(throttle.admit(attempt("holidays", "alice"), now: .seconds(600)) == nil)
        #expect(throttle.admit(attempt("home", "alice", home: true), now: .seconds(600)) != nil)
        #expect(throttle.admit(attempt("home2", "alice", home: true), now: .seconds(600)) == nil)
    }

    @Test func `who shares the owner's host without their address uses up nothing of theirs`() {
        var throttle = GuessThrottle()
        for second in 0..<20 { _ = throttle.admit(attempt("gateway", "alice"), now: .seconds(second)) }
        #expect(throttle.admit(attempt("gateway", "alice"), now: .seconds(20)) != nil)
        #expect(throttle.admit(attempt("gateway", "alice", home: true), now: .seconds(20)) == nil)
    }

    @Test func `a thousand wrong passwords cost a bounded number of hashes, from fifty hosts or from a thousand`() {
        for hosts in [50, 1000] {
            var throttle = GuessThrottle()
            let admitted = (0..<1000).count { number in
                throttle.admit(attempt("host\(number % hosts)", "user\(number % 7)"), now: .milliseconds(number)) == nil
            }
            #expect(admitted <= 60)
        }
    }

    @Test func `a crowd of hosts leaves room for another one in the next minute`() {
        var throttle = GuessThrottle()
        for number in 0..<100 { _ = throttle.admit(attempt("evil\(number)", "alice"), now: .seconds(1)) }
        #expect(throttle.admit(attempt("new", "alice"), now: .seconds(2)) == .seconds(59))
        #expect(throttle.admit(attempt("new", "alice"), now: .seconds(61)) == nil)
    }

    @Test func `right passwords count as nothing`() {
        var throttle = GuessThrottle()
        for second in 0..<200 {
            for isHome in [false, true] {
                let attempt = attempt("gateway", "user\(second)", home: isHome)
                #expect(throttle.admit(attempt, now: .seconds(second)) == nil)
                throttle.succeeded(attempt, admittedAt: .seconds(second))
            }
        }
    }
}
