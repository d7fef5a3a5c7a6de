import Domain
import IRC
import Runtime
import TestKit
import Testing

@Suite("Mutated lines")
struct MutationTests {
    @Test("of every kind crash, hang and mislead nothing: after each hundred the next good line is understood")
    func mutations() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "batch message-tags draft/multiline=max-bytes=4096")
        try await wire.admit("confab", to: "#lobby")
        let rounds = 200
        Thread.start(name: "mutations") {
            var dice = SeededGenerator(seed: 20_260_101)
            for round in 0..<rounds {
                let good = Array(":carol!c@c PRIVMSG confab :round \(round)\r\n".utf8)
                wire.send(bytes: MutatedLines.next(100, &dice) + good)
            }
        }
        let hasEnded = await eventually(within: .seconds(120)) { bot.messages.last?.text == "round \(rounds - 1)" }
        try #require(hasEnded, "\(bot.log.lines.suffix(5))")
        let good = bot.messages.filter { $0.sender.nick.spelling == "carol" && $0.place == .direct }.map(\.text)
        #expect(good == (0..<rounds).map { "round \($0)" })
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }
}
