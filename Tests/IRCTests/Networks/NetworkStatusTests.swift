import Domain
import IRC
import Runtime
import TestKit
import Testing

@Suite("How a network stands")
struct NetworkStatusTests {
    private let clock = ManualTime()

    private func status(_ bot: LinkUnderTest) async -> NetworkStatus? { await bot.link.status().first }

    @Test("is told from connecting over online and waiting to given up")
    func wholeLife() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        let begin = clock.time.wall()
        let connecting = try #require(await status(bot))
        #expect(connecting.state == .connecting && connecting.since == begin && connecting.nick == nil)

        clock.advance(by: .seconds(5))
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .entered = $0 { true } else { false } })
        let online = try #require(await status(bot))
        #expect(online.state == .online && online.since == clock.time.wall())
        #expect(online.nick == "confab" && online.account == nil && online.channels == ["#lobby"])
        #expect(online.lag == nil && online.queuedLines == 0 && online.lastFailure == nil)

        wire.send("ERROR :Closing Link: bot.test (Ping\u{7} timeout)")
        wire.close()
        #expect(await eventually { await status(bot)?.nick == nil })
        let waiting = try #require(await status(bot))
        guard case .waiting(let rest) = waiting.state else {
            Issue.record("\(waiting)")
            return
        }
        #expect(rest > .seconds(2) && rest < .seconds(6))
        #expect(waiting.channels.isEmpty)
        let failure = try #require(waiting.lastFailure)
        #expect(failure.reason == "closed by the server: Closing Link: bot.test (Ping timeout)")
        #expect(failure.at == clock.time.wall())

        clock.advance(by: .seconds(6))
        let second = try await server.connection(1)
        #expect(try #require(await status(bot)).state == .connecting)
        second.send(":irc.test 464 confab :Password incorrect")
        await bot.ended()
        let stopped = try #require(await status(bot))
        #expect(stopped.state == .stopped)
        #expect(stopped.lastFailure?.reason.contains("Password incorrect") == true)
    }

    @Test("tells the lag of the watchdog's PING, and what waits to be said")
    func lagAndQueue() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        let speaking = Task { await bot.say((1...9).map { "line \($0)" }, in: "#lobby") }
        // JOIN and WHO took two lines of the burst of four.
        _ = try await wire.expect("the second line") { $0.text == "line 2" }
        #expect(await eventually { await status(bot)?.queuedLines == 7 })
        speaking.cancel()
        clock.advance(by: .seconds(80))
        let ping = try await wire.expect("PING") { $0.command == "PING" }
        clock.advance(by: .seconds(2))
        #expect(await status(bot)?.lag == .seconds(2))
        wire.send(":irc.test PONG irc.test :somebody else's")
        wire.send(":irc.test PONG irc.test :\(ping.text)")
        try await wire.ping()
        clock.advance(by: .seconds(30))
        #expect(await status(bot)?.lag == .seconds(2))
        await bot.quit(closing: wire)
    }
}
