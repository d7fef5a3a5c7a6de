import Glibc
import TestKit
import Testing

@testable import confab

/// `confab status` from the outside.
@Suite(.timeLimit(.minutes(2)))
struct StatusTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Only the bot has the key; who asks for its status needs none.
    private func configure(_ networks: KeyValuePairs<String, Int>) throws {
        try scratch.configure(networks, rest: "key_file = \"env:ONLY_THE_BOT_HAS_IT\"")
    }

    private func startBot() throws -> Program {
        try scratch.start(["run"], environment: ["ONLY_THE_BOT_HAS_IT": "key"])
    }

    private func status() async throws -> (status: Int32?, output: String) { try await scratch.run(["status"]) }

    @Test func `each network is told while the bot runs, and that none runs afterwards`() async throws {
        let good = try ScriptedIRCServer()
        let bad = try ScriptedIRCServer()
        try configure(["net0": good.port, "net1": bad.port])
        let none = try await status()
        #expect(none.status == 69)
        #expect(none.output.contains("no bot runs with this configuration"))

        let bot = try startBot()
        let wire = try await good.connection()
        try await wire.welcome(capabilities: "batch")
        try await wire.admit("confab", to: "#confab")
        wire.send(":irc.test BATCH +1 chathistory #confab")
        wire.send("@batch=1 :alice!a@home PRIVMSG #confab :yesterday")
        wire.send(":irc.test BATCH -1")
        let refusing = try await bad.connection()
        refusing.send(":irc.test 464 confab :Password\u{1B}[31m incorrect")
        refusing.close()
        let isTold = await eventually {
            guard let output = try? await status().output else { return false }
            return output.contains("channels:   #confab") && output.contains("net1: given up since 20")
        }
        #expect(isTold)
        let told = try await status()
        #expect(told.status == 0)
        #expect(told.output.contains("net0: online since 20"))
        #expect(told.output.contains("nick:       confab"))
        #expect(told.output.contains("account:    not logged in to services"))
        #expect(told.output.contains("set aside:  1 line that was played back"))
        #expect(told.output.contains("last error: 20") && told.output.contains("Password[31m incorrect"))
        #expect(!told.output.contains("\u{1B}"))

        bot.signal(SIGTERM)
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        #expect(await bot.waitForEnd() == 69)
        #expect(try await status().status == 69)
        #expect(unsafe access(scratch.file("state/confab.socket"), F_OK) != 0)
    }

    @Test func `the socket of a killed bot is no bot, and the next one takes its place`() async throws {
        let server = try ScriptedIRCServer()
        try configure(["net0": server.port])
        let first = try startBot()
        _ = try await server.connection()
        first.kill()
        #expect(unsafe access(scratch.file("state/confab.socket"), F_OK) == 0)
        #expect(try await status().status == 69)
        let second = try startBot()
        _ = try await server.connection(1)
        let told = try await status()
        #expect(told.status == 0 && told.output.contains("net0: connecting since 20"), "\(told.output)")
        second.kill()
    }
}
