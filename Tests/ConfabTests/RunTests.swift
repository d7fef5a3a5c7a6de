import Glibc
import Runtime
import TestKit
import Testing

@testable import confab

/// The built program from the outside: what it prints, how it ends.
@Suite(.timeLimit(.minutes(2)))
struct RunTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func configure(port: Int, api: String = "http://127.0.0.1:1", rest: String = "") {
        let text = """
            [bot]
            nick = "confab"
            state_directory = "state"
            [[networks]]
            name = "test"
            host = "127.0.0.1"
            port = \(port)
            tls = false
            [[networks.channels]]
            name = "#confab"
            [api]
            base_url = "\(api)"
            model = "scripted"
            \(rest)
            """
        let descriptor = unsafe open(scratch.file("confab.toml"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        writeAll(Array(text.utf8), to: descriptor)
        close(descriptor)
    }

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
        try Program(
            Places.confab, arguments + ["--config", scratch.file("confab.toml")],
            logFile: scratch.file("log-\(arguments.joined())-\(UInt32.random(in: 0 ... .max))"),
            environment: environment)
    }

    /// Plays an ircd up to the JOIN.
    private func welcome(_ server: ScriptedIRCServer, number: Int = 0) async throws -> LineConnection {
        let connection = try await server.connection(number)
        _ = try await connection.expect("USER") { $0.command == "USER" }
        connection.send(":irc.test CAP * LS :")
        _ = try await connection.expect("CAP END") { $0.command == "CAP" && $0.parameters.first == "END" }
        connection.send(":irc.test 001 confab :Welcome")
        connection.send(":irc.test 422 confab :No MOTD")
        return connection
    }

    @Test func `SIGTERM brings a QUIT, a closed store and status 0`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let bot = try start("run")
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        bot.signal(SIGTERM)
        _ = try await connection.expect("QUIT") { $0.command == "QUIT" }
        connection.close()
        #expect(await bot.waitForEnd() == 0)
        #expect(unsafe access(scratch.file("state/confab.sqlite-wal"), F_OK) != 0)
    }

    @Test func `a server that ignores QUIT holds nobody up for long`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let bot = try start("run")
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        let began = Time.system.now()
        bot.signal(SIGTERM)
        #expect(await bot.waitForEnd() == 0)
        #expect(Time.system.now() - began < .seconds(5))
    }

    @Test func `a second signal ends it at once`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let bot = try start("run")
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        bot.signal(SIGTERM)
        _ = try await connection.expect("QUIT") { $0.command == "QUIT" }
        bot.signal(SIGINT)
        #expect(await bot.waitForEnd() == 128 + SIGINT)
    }

    @Test func `when the only network refuses it for good it ends and says why`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let bot = try start("run")
        let connection = try await server.connection()
        _ = try await connection.expect("USER") { $0.command == "USER" }
        connection.send(":irc.test 464 confab :Password incorrect")
        connection.close()
        #expect(await bot.waitForEnd() == 69)
        #expect(bot.output.contains("password"))
    }

    @Test func `two bots do not share a state directory`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let first = try start("run")
        _ = try await server.connection()
        let second = try start("run")
        #expect(await second.waitForEnd() == 74)
        #expect(second.output.contains("state_directory of its own"))
        #expect(first.exitStatus == nil)
    }

    @Test func `a state directory that others may read is refused`() async throws {
        configure(port: 1)
        try #require(unsafe mkdir(scratch.file("state"), 0o755) == 0)
        let bot = try start("run")
        #expect(await bot.waitForEnd() == 73)
    }

    @Test func `a wrong configuration ends it before anything happens, with every problem told`() async throws {
        configure(port: 70_000, rest: "temprature = 1\n")
        for command in ["run", "check"] {
            let bot = try start(command)
            #expect(await bot.waitForEnd() == 78)
            #expect(bot.output.contains("networks[0].port = 70000: out of range"))
            #expect(bot.output.contains("Did you mean temperature?"))
        }
        #expect(unsafe access(scratch.file("state"), F_OK) != 0)
    }

    @Test func `an unknown option is told with the usage`() async throws {
        let bot = try start("run", "--fast")
        #expect(await bot.waitForEnd() == 64)
        #expect(bot.output.contains("unknown option --fast") && bot.output.contains("Usage:"))
    }

    @Test func `systemd hears that it is ready, lives and ends`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let socket = try NotifySocket(at: scratch.file("notify"))
        let environment = ["NOTIFY_SOCKET": scratch.file("notify"), "WATCHDOG_USEC": "50000"]
        let bot = try start("run", environment: environment)
        #expect(await eventually { socket.next() == "READY=1" })
        #expect(await eventually { socket.next() == "WATCHDOG=1" })
        bot.signal(SIGTERM)
        #expect(await eventually { socket.next() == "STOPPING=1" })
        #expect(await bot.waitForEnd() == 0)
    }

    @Test func `memory never goes into a core file`() async throws {
        let server = try ScriptedIRCServer()
        configure(port: server.port)
        let bot = try start("run")
        _ = try await server.connection()
        let limits = try SecretSource(directory: "/").contents(
            of: "/proc/\(bot.identifier)/limits", isPrivate: false, limit: 1 << 16)
        let line = String(decoding: limits, as: UTF8.self).split(separator: "\n").first { $0.contains("core file") }
        #expect(line?.split(separator: " ").suffix(3) == ["1", "1", "bytes"])
    }
}
