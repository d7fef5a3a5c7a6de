import Glibc
import Runtime
import TestKit
import Testing

@testable import confab

/// `confab status` from the outside.
@Suite(.timeLimit(.minutes(2)))
struct StatusTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func configure(ports: [Int]) {
        let networks = ports.enumerated().map { number, port in
            """
            [[networks]]
            name = "net\(number)"
            host = "127.0.0.1"
            port = \(port)
            tls = false
            [[networks.channels]]
            name = "#confab"

            """
        }
        let text = """
            [bot]
            state_directory = "state"
            \(networks.joined())
            [api]
            base_url = "http://127.0.0.1:1"
            model = "scripted"
            key_file = "env:ONLY_THE_BOT_HAS_IT"
            """
        let descriptor = unsafe open(scratch.file("confab.toml"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        writeAll(Array(text.utf8), to: descriptor)
        close(descriptor)
    }

    private func start(_ command: String, environment: [String: String] = [:]) throws -> Program {
        try Program(
            Places.confab, [command, "--config", scratch.file("confab.toml")],
            logFile: scratch.file("log-\(command)-\(UInt32.random(in: 0 ... .max))"), environment: environment)
    }

    private func status() async throws -> (code: Int32?, output: String) {
        let program = try start("status")
        return (await program.waitForEnd(), program.output)
    }

    @Test func `each network is told while the bot runs, and that none runs afterwards`() async throws {
        let good = try ScriptedIRCServer()
        let bad = try ScriptedIRCServer()
        configure(ports: [good.port, bad.port])
        let none = try await status()
        #expect(none.code == 69)
        #expect(none.output.contains("no bot runs with this configuration"))

        let bot = try start("run", environment: ["ONLY_THE_BOT_HAS_IT": "key"])
        let wire = try await good.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#confab")
        let refusing = try await bad.connection()
        refusing.send(":irc.test 464 confab :Password\u{1B}[31m incorrect")
        refusing.close()
        let isTold = await eventually {
            guard let output = try? await status().output else { return false }
            return output.contains("channels:   #confab") && output.contains("net1: given up since 20")
        }
        #expect(isTold)
        let told = try await status()
        #expect(told.code == 0)
        #expect(told.output.contains("net0: online since 20"))
        #expect(told.output.contains("nick:       confab"))
        #expect(told.output.contains("account:    not logged in to services"))
        #expect(told.output.contains("last error: 20") && told.output.contains("Password[31m incorrect"))
        #expect(!told.output.contains("\u{1B}"))

        bot.signal(SIGTERM)
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        #expect(await bot.waitForEnd() == 0)
        #expect(try await status().code == 69)
        #expect(unsafe access(scratch.file("state/confab.socket"), F_OK) != 0)
    }

    @Test func `the socket of a killed bot is no bot, and the next one takes its place`() async throws {
        let server = try ScriptedIRCServer()
        configure(ports: [server.port])
        let first = try start("run", environment: ["ONLY_THE_BOT_HAS_IT": "key"])
        _ = try await server.connection()
        first.kill()
        #expect(unsafe access(scratch.file("state/confab.socket"), F_OK) == 0)
        #expect(try await status().code == 69)
        let second = try start("run", environment: ["ONLY_THE_BOT_HAS_IT": "key"])
        _ = try await server.connection(1)
        let told = try await status()
        #expect(told.code == 0 && told.output.contains("net0: connecting since 20"), "\(told.output)")
        second.kill()
    }
}
