import TestKit
import Testing

@Suite struct ThreadsTests {
    /// The threads that the bot starts and names itself; every other one is Swift's.
    private static let own: Set = [
        "argon2", "confab", "control", "log", "network", "policies", "reader", "signals", "store",
    ]

    @Test func `a question wakes no thread of Swift's pool`() async throws {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI { .text("echo \($0.question)") }
        let bot = try ConfabProcess(in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api)
        let network = try await server.connection()
        try await network.admit(network.welcome(), to: "#confab")
        network.send(":alice!a@host.test JOIN #confab")
        network.send(":alice!a@host.test PRIVMSG confab :REGISTER correct-horse alice@example.org")
        _ = try await network.expect("the registration") { $0.command == "NOTICE" && $0.text.contains("Registered") }

        let before = bot.program.naps
        for number in 0..<25 {
            network.send(":alice!a@host.test PRIVMSG #confab :question \(number)")
            _ = try await network.expect("answer \(number)") { $0.text.hasSuffix("echo question \(number)") }
        }
        let after = bot.program.naps
        let naps = after.filter { !Self.own.contains($0.key) }.map { $0.value - (before[$0.key] ?? 0) }.reduce(0, +)
        // It would be several for each question; a timer now and then may ring there.
        #expect(naps < 25)
        #expect(after["network", default: 0] - before["network", default: 0] >= 25)
    }
}
