import Domain
import Testing

@testable import Accounts

@Suite struct MailThrottleTests {
    @Test func `an address asks three times an hour, a host nine times, whoever stands before the @`() {
        var throttle = MailThrottle()
        for second in 0..<3 { #expect(throttle.admit(Origin(user: "a", host: "h"), now: .seconds(second)) == nil) }
        #expect(throttle.admit(Origin(user: "a", host: "h"), now: .seconds(60)) == .seconds(3540))
        for number in 0..<6 { #expect(throttle.admit(Origin(user: "b\(number)", host: "h"), now: .seconds(60)) == nil) }
        #expect(throttle.admit(Origin(user: "c", host: "h"), now: .seconds(60)) == .seconds(3540))
        #expect(throttle.admit(Origin(user: "a", host: "other"), now: .seconds(60)) == nil)
        #expect(throttle.admit(Origin(user: "c", host: "h"), now: .seconds(3600)) == nil)
    }

    @Test func `a thousand hosts that ask keep nobody else from asking`() {
        var throttle = MailThrottle()
        for number in 0..<1000 { _ = throttle.admit(Origin(user: "a", host: "\(number)"), now: .zero) }
        #expect(throttle.admit(Origin(user: "owner", host: "home"), now: .seconds(1)) == nil)
    }

    @Test func `an account gets a mail in five minutes, whoever asks`() {
        var throttle = MailThrottle()
        #expect(throttle.admitMail(to: AccountID(1), isHome: false, now: .zero) == true)
        #expect(throttle.admitMail(to: AccountID(1), isHome: false, now: .seconds(299)) == false)
        #expect(throttle.admitMail(to: AccountID(1), isHome: true, now: .seconds(299)) == false)
        #expect(throttle.admitMail(to: AccountID(2), isHome: false, now: .seconds(299)) == true)
        #expect(throttle.admitMail(to: AccountID(1), isHome: true, now: .seconds(300)) == true)
        #expect(throttle.admitMail(to: AccountID(1), isHome: false, now: .seconds(599)) == false)
    }

    @Test func `strangers who have thirty mails sent use up nothing of an owner's, nor of the warnings`() {
        var throttle = MailThrottle()
        for number in 1...30 {
            #expect(throttle.admitMail(to: AccountID(Int64(number)), isHome: false, now: .zero) == true)
        }
        #expect(throttle.admitMail(to: AccountID(99), isHome: false, now: .seconds(1)) == false)
        #expect(throttle.admitMail(to: AccountID(99), isHome: true, now: .seconds(1)) == true)
        #expect(throttle.admitWarning(to: AccountID(99), now: .seconds(1)) == true)
        #expect(throttle.admitMail(to: AccountID(98), isHome: false, now: .seconds(3600)) == true)
    }
}
