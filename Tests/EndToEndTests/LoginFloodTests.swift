import TestKit
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LoginFloodTests {
    @Test func `two hundred LOGINs at once take no more than two hashes' memory, and PONG comes in time`() async throws
    {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI { .text("echo \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api,
            rest: "[accounts]\nguesses_overall = 1000\nregistrations_per_address = 1000")
        let network = try await server.connection()
        let nick = try await network.welcome()
        try await network.admit(nick, to: "#confab", with: (0..<200).map { "p\($0)" })
        try await network.ping()
        let rest = try #require(bot.program.memory())
        let lines = (0..<200).map { ":p\($0)!p@host\($0).test PRIVMSG \(nick) :LOGIN account\($0) wrong-horse\r\n" }
        network.send(bytes: Array(lines.joined().utf8))
        for number in 1...20 { #expect(try await network.ping("number\(number)") < .seconds(1)) }
        let isAnswered = await eventually {
            Set(network.lines.filter { $0.command == "NOTICE" && $0.target.hasPrefix("p") }.map(\.target)).count == 200
        }
        #expect(isAnswered)
        let peak = try #require(bot.program.memory("VmHWM"))
        #expect(peak - rest <= 160 * 1024, "\(rest) KiB at rest, \(peak) KiB at most")
        #expect(network.lines.contains { $0.text.contains("Too many people are logging in") })
    }
}
