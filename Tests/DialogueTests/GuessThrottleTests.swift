import Domain
import Testing

@testable import Dialogue

@Suite struct GuessThrottleTests {
    private func source(_ host: String) -> GuessThrottle.Source { .init(network: NetworkName("net"), host: host) }

    @Test func `the sixth wrong password from one source in ten minutes is not tried`() {
        var throttle = GuessThrottle()
        for second in 0..<5 {
            #expect(throttle.admit(source("evil"), account: "user\(second)", now: .seconds(second)) == nil)
        }
        #expect(throttle.admit(source("evil"), account: "another", now: .seconds(60)) == .seconds(540))
        #expect(throttle.admit(source("good"), account: "another", now: .seconds(60)) == nil)
        #expect(throttle.admit(source("evil"), account: "another", now: .seconds(600)) == nil)
    }

    @Test func `the delay for an account doubles with every wrong password, up to a quarter of an hour`() {
        var throttle = GuessThrottle(limits: .init(perSource: 1000, overall: 1000))
        var now = Duration.zero
        var waits: [Int64] = []
        for _ in 1...13 {
            #expect(throttle.admit(source("evil"), account: "alice", now: now) == nil)
            var probe = throttle
            let wait = probe.admit(source("evil"), account: "alice", now: now) ?? .zero
            waits.append(wait.components.seconds)
            now += wait
        }
        #expect(waits == [0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    }

    @Test func `guessing does not keep the owner out where they last came from`() {
        var throttle = GuessThrottle()
        #expect(throttle.admit(source("home"), account: "alice", now: .zero) == nil)
        throttle.succeeded(source("home"), account: "alice", admittedAt: .zero)
        for number in 0..<40 { _ = throttle.admit(source("evil\(number)"), account: "alice", now: .seconds(1)) }
        #expect(throttle.admit(source("evil99"), account: "alice", now: .seconds(2)) != nil)
        #expect(throttle.admit(source("home"), account: "alice", now: .seconds(2)) == nil)
    }

    @Test func `a thousand wrong passwords from fifty nicks cost a bounded number of hashes`() {
        var throttle = GuessThrottle()
        let admitted = (0..<1000).count { number in
            throttle.admit(source("host\(number % 50)"), account: "user\(number % 7)", now: .milliseconds(number))
                == nil
        }
        #expect(admitted <= 30)
    }

    @Test func `right passwords count as nothing`() {
        var throttle = GuessThrottle()
        for second in 0..<200 {
            #expect(throttle.admit(source("gateway"), account: "user\(second)", now: .seconds(second)) == nil)
            throttle.succeeded(source("gateway"), account: "user\(second)", admittedAt: .seconds(second))
        }
    }
}
