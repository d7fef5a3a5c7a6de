import Domain
import IRC
import TestKit
import Testing

/// A process that was stopped, or whose machine slept, wakes with everything late and its sockets full.
@Suite("After a standstill", .timeLimit(.minutes(2)))
struct StandstillTests {
    private let clock = ManualTime()

    @Test("what waits in the socket is read before the server is called silent, or a line unproven")
    func reading() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "batch echo-message labeled-response message-tags")
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        for round in 0..<20 {
            let ping = wire.lines.count { $0.command == "PING" }
            #expect(await clock.turn { wire.lines.count { $0.command == "PING" } > ping })
            async let said = bot.say(["round \(round)"], in: "#lobby")
            let line = try await wire.expect("the line") { $0.text == "round \(round)" }
            let label = line.tags["label"] ?? ""
            // In one go, so that it may be that the clock is seen before the lines.
            wire.send(
                "@label=\(label) :confab!confab@bot.test PRIVMSG #lobby :round \(round)\r\n:irc.test PONG irc.test :confab"
            )
            clock.advance(by: .seconds(3600))
            #expect(await said == .sent)
        }
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }
}
