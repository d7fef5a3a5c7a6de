import Testing

@testable import IRC

@Suite("Why a connection ended")
struct EndingTests {
    private func next(_ line: String) throws -> Ending.Next? {
        Ending(try #require(IRCMessage(line)), ownNick: "confab")?.next
    }

    @Test(
        "is read from the server's words",
        arguments: [
            (":s 464 confab :Password incorrect", .stop(unlessOnlineBefore: nil)),
            ("ERROR :Closing Link: bot[h] (Bad Password)", .stop(unlessOnlineBefore: nil)),
            (":s 465 confab :You are banned", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: h (K-Lined)", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing link: (x@h) [G:Lined: spam]", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Trying to reconnect too fast.", .retry(after: .seconds(60))),
            ("ERROR :Your host is trying to (re)connect too fast -- throttled", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: Too many connections from your host", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: h (Killed (oper (bye)))", .retry(after: .seconds(300))),
            (":oper!o@h KILL confab :bye", .retry(after: .seconds(300))),
            ("ERROR :Closing Link: h (Ping timeout)", .retry(after: .zero)),
            ("ERROR :Registration timeout", .retry(after: .zero)),
            ("ERROR", .retry(after: .zero)),
        ] as [(String, Ending.Next)])
    func classified(line: String, expected: Ending.Next) throws { #expect(try next(line) == expected) }

    @Test("other lines end nothing", arguments: [":oper KILL alice :bye", ":s 433 * x :taken", "PING :ERROR"])
    func others(line: String) throws { #expect(try next(line) == nil) }
}
