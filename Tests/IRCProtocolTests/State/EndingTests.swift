import Runtime
import Testing

@testable import IRCProtocol

@Suite("Why a connection ended")
struct EndingTests {
    private func ending(_ line: String) throws -> Ending {
        let message = try #require(IRCMessage(line))
        return try #require(Ending(message, ownNick: "confab"))
    }

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
            ("ERROR :Access denied: Bad server password", .stop(unlessOnlineBefore: nil)),
            ("ERROR :Closing Link: h (SASL access only)", .stop(unlessOnlineBefore: nil)),
            (":s 463 confab :Your host isn't among the privileged", .stop(unlessOnlineBefore: .seconds(1800))),
            (":s 466 confab :You will be banned", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: h (*** You are K:lined)", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: x[h] (Z:lined (spam))", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: x[h] (Autokilled: proxy)", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :You are banned from this server (why)", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing link: (x@h) [Listed in dnsbl.example]", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: h (Unauthorized connection)", .stop(unlessOnlineBefore: .seconds(1800))),
            ("ERROR :Closing Link: [h] (Insecure connection)", .stop(unlessOnlineBefore: .seconds(1800))),
            (
                "ERROR :Closing link: (x@h) [Z-lined: Your IP range has been attempting to connect too many times]",
                .retry(after: .seconds(600))
            ),
            ("ERROR :Closing Link: h (Throttled: Reconnecting too fast)", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: x[h] (Too many unknown connections)", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: h (Session limit exceeded)", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: h (Sorry, server is full)", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: h (Killed (s (Nick collision)))", .retry(after: .seconds(60))),
            ("ERROR :Closing Link: h (Registration timed out)", .retry(after: .zero)),
            ("ERROR :Closing Link: h (Excess Flood)", .retry(after: .zero)),
            ("ERROR :Closing Link: banned-bot[kline.example.org] (Quit: bye)", .retry(after: .zero)),
            ("ERROR :Closing Link: h (Registration deadline)", .retry(after: .zero)),
            ("ERROR :Closing Link: h (Ping timeout)", .retry(after: .zero)),
            ("ERROR :Registration timeout", .retry(after: .zero)),
            ("ERROR", .retry(after: .zero)),
        ] as [(String, Ending.Next)])
    func classified(line: String, expected: Ending.Next) throws { #expect(try next(line) == expected) }

    @Test("an ERROR behind a numeric tells how long a ban lasts, and nothing else of it")
    func explained() throws {
        let banned = try ending(":s 465 * :banned")
        let throttled = try ending("ERROR :Z-lined: you connect too many times")
        #expect(banned.explained(by: throttled).next == .retry(after: .seconds(600)))
        #expect(banned.explained(by: throttled).reason.hasSuffix("banned; \(throttled.reason)"))
        let bare = try ending("ERROR :Closing Link: h ()")
        #expect(banned.explained(by: bare).next == banned.next)
    }

    @Test("other lines end nothing", arguments: [":oper KILL alice :bye", ":s 433 * x :taken", "PING :ERROR"])
    func others(line: String) throws { #expect(try next(line) == nil) }
}
