import Domain
import IRC
import Runtime
import TestKit
import Testing

/// What many people who come and go cost the link, a person.
@Suite("A multitude", .timeLimit(.minutes(5)))
struct MultitudeTests {
    private func cost(of count: Int, _ lines: (Int) -> [String], after: (Int) -> [String]) async throws -> Duration {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        func send(_ make: (Int) -> [String], _ fence: String) async throws -> Duration {
            let bytes = Array(((0..<count).flatMap(make) + ["PING :\(fence)", ""]).joined(separator: "\r\n").utf8)
            let begin = Time.system.now()
            Thread.start(name: "crowd") { wire.send(bytes: bytes) }
            _ = try await wire.expect("PONG", within: .seconds(100)) { $0.command == "PONG" && $0.text == fence }
            return Time.system.now() - begin
        }
        _ = try await send(lines, "first")
        let cost = try await send(after, "second")
        await bot.quit(closing: wire)
        return cost
    }

    @Test(
        "costs the same a person in a crowd of twenty thousand as in one of four thousand",
        arguments: ["QUIT", "NICK", "PART", "JOIN"])
    func crowd(command: String) async throws {
        let join = { @Sendable (number: Int) in [":g\(number)!u@h JOIN #lobby"] }
        let then = { @Sendable (number: Int) -> [String] in
            switch command {
            case "QUIT": [":g\(number)!u@h QUIT :a.test b.test"]
            case "NICK": [":g\(number)!u@h NICK h\(number)"]
            case "PART": [":g\(number)!u@h PART #lobby"]
            default: [":k\(number)!u@h JOIN #lobby"]
            }
        }
        let few = try await cost(of: 4000, join, after: then)
        let many = try await cost(of: 20_000, join, after: then)
        print("crowd \(command): \(few) \(many)")
        #expect(many < few * 12 + .milliseconds(200))
    }

    @Test("of channels that a server forces upon the bot keeps no PONG waiting, and costs few lines")
    func forced() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        wire.send(":confab!confab@bot.test JOIN #first")
        _ = try await wire.expect("PART") { $0.raw == "PART #first" }
        let before = wire.count
        let joins = (0..<100_000).map {
            ":confab!confab@bot.test JOIN #forced\($0)\r\n:irc.test 353 confab = #forced\($0) :confab\r\n:irc.test 366 confab #forced\($0) :End\r\n"
        }
        let bytes = Array((joins + ["PING :end\r\n"]).joined().utf8)
        let begin = Time.system.now()
        Thread.start(name: "forced") { wire.send(bytes: bytes) }
        _ = try await wire.expect("PONG", within: .seconds(120)) { $0.command == "PONG" && $0.text == "end" }
        print("forced: \(Time.system.now() - begin)")
        #expect(wire.count - before < 1000)
        #expect(bot.log.lines.count < 1000)
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }
}
