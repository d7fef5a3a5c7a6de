import Domain
import IRC
import TestKit
import Testing

/// A process that was stopped, or whose machine slept, wakes with everything late and its sockets full.
@Suite("After a standstill", .timeLimit(.minutes(2)))
struct StandstillTests {
    private let clock = ManualTime()

    /// Turns the clock once, and waits: while a PING is under way it must not be late by this clock. Once more where the bot
    /// set its alarm only after the clock was turned.
    private func sees(_ pings: Int, on wire: LineConnection, after step: Duration) async -> Bool {
        for _ in 0..<2 {
            clock.advance(by: step)
            let came = await eventually(within: .seconds(5)) { wire.lines.count { $0.command == "PING" } >= pings }
            if came { return true }
        }
        return false
    }

    @Test("what waits in the socket is read before the server is called silent, or a line unproven")
    func reading() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "batch echo-message labeled-response message-tags")
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        for round in 0..<20 {
            let pings = wire.lines.count { $0.command == "PING" }
            #expect(await sees(pings + 1, on: wire, after: .seconds(80)))
            async let said = bot.say(["round \(round)"], in: "#lobby")
            let line = try await wire.expect("the line") { $0.text == "round \(round)" }
            let label = line.tags["label"] ?? ""
            // In one go, so that it may be that the clock is seen before the lines.
            wire.send(
                "@label=\(label) :confab!confab@bot.test PRIVMSG #lobby :round \(round)\r\n:irc.test PONG irc.test :confab"
            )
            #expect(await wire.awaitDelivery())
            clock.advance(by: .seconds(3600))
            #expect(await said == .sent)
            // After so long it asks how fast the server is, which is answered before the clock goes on.
            #expect(await sees(pings + 2, on: wire, after: .zero))
            wire.send(":irc.test PONG irc.test :confab")
            try await wire.ping()
        }
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }
}
