import Domain
import Testing

@testable import IRCProtocol

@Suite("How the bot gets its nick back")
struct NickRegainTests {
    private var regain = NickRegain(wanted: "confabulator")

    private mutating func has(_ nick: String, _ length: Int = 30, at now: Int = 0) {
        regain.has(Nick(nick, .rfc1459), nickLength: length, at: .seconds(now), .rfc1459)
    }

    private mutating func mayTake(at now: Int) -> Bool { regain.mayTake(at: .seconds(now)) }
    private mutating func beginAsking(at now: Duration) -> Bool { regain.beginAsking(at: now) }

    @Test("there is nothing to do while it has it, in whatever spelling, or cut to what the server takes")
    mutating func held() {
        has("Confabulator")
        #expect(regain.next == nil)
        #expect(mayTake(at: 0) == false)
        regain = NickRegain(wanted: "confabulator")
        has("confabula", 9)
        #expect(regain.next == nil)
        regain = NickRegain(wanted: "confabulator")
        has("confabula", 30)
        #expect(regain.next != nil)
    }

    @Test("it asks after 15 seconds, then ever more rarely, every ten minutes in the end")
    mutating func patience() {
        has("confab_")
        var last = Duration.zero
        var waits: [Duration] = []
        for _ in 0..<12 {
            let next = regain.next ?? .zero
            #expect(beginAsking(at: next - .milliseconds(1)) == false)
            #expect(beginAsking(at: next) == true)
            waits.append(next - last)
            last = next
        }
        #expect((.seconds(10)...(.seconds(20))).contains(waits[0]))
        #expect(waits.suffix(4).allSatisfy { (.seconds(420)...(.seconds(780))).contains($0) })
        #expect(regain.isWanted("CONFABULATOR", .rfc1459) && !regain.isWanted("confab", .rfc1459))
        #expect(beginAsking(at: last) == false)
        #expect(mayTake(at: 9000) == true)
        #expect(mayTake(at: 9009) == false, "the server's word on the first attempt is awaited")
        #expect(mayTake(at: 9010) == true)
    }

    @Test("a nick taken away by force is left alone for ten minutes, and for good the second time within an hour")
    mutating func forced() {
        has("confabulator")
        has("Guest7", at: 100)
        #expect(mayTake(at: 699) == false)
        #expect(regain.next == .seconds(700))
        #expect(mayTake(at: 700) == true)
        has("confabulator", at: 701)
        has("Guest8", at: 702)
        #expect(regain.next == nil)
        #expect(mayTake(at: 99_999) == false)
    }

    @Test("once more than an hour later it is tried again")
    mutating func seldomForced() {
        has("confabulator")
        has("Guest7", at: 0)
        has("confabulator", at: 700)
        has("Guest8", at: 4000)
        #expect(mayTake(at: 4600) == true)
    }
}
