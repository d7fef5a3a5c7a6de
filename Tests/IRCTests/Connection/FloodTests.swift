import Domain
import IRC
import Runtime
import TestKit
import Testing

@Suite("A flood")
struct FloodTests {
    @Test("of lines that are not for the bot hides no question and holds up no PONG")
    func lines() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        let total = 200_000
        let line = ":somebody!user@some.host.example PRIVMSG #lobby :just a line of everyday chatter, nothing more\r\n"
        let block = Array(String(repeating: line, count: 1000).utf8)
        let begin = Time.system.now()
        // Blocks while the bot is behind, so it needs a thread that nobody else waits for.
        Thread.start(name: "flood") {
            for number in 0..<total / 1000 {
                if number == 100 { wire.send(":alice!a@home PRIVMSG confab :the one question") }
                wire.send(bytes: block)
            }
            wire.send("PING :end")
        }
        _ = try await wire.expect("the last PONG", within: .seconds(120)) { $0.raw == "PONG :end" }
        let read = Time.system.now() - begin
        #expect(await bot.hears("the one question"))
        #expect(await eventually(within: .seconds(120)) { bot.messages.count == total + 1 })
        print("flood: \(Int(Double(total) / (read / .seconds(1)))) lines a second")
        await bot.quit(closing: wire)
    }
}
