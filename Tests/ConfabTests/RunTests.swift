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

    /// Plays an ircd up to the JOIN.
    private func welcome(_ server: ScriptedIRCServer) async throws -> LineConnection {
        let connection = try await server.connection()
        try await connection.welcome()
        return connection
    }

    @Test func `SIGTERM brings a QUIT, a closed store and status 0`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let bot = try scratch.start(["run"])
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
        try scratch.configure(["test": server.port])
        let bot = try scratch.start(["run"])
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        let began = Time.system.now()
        bot.signal(SIGTERM)
        #expect(await bot.waitForEnd() == 0)
        #expect(Time.system.now() - began < .seconds(5))
    }

    @Test func `a second signal ends it at once`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let bot = try scratch.start(["run"])
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        bot.signal(SIGTERM)
        _ = try await connection.expect("QUIT") { $0.command == "QUIT" }
        bot.signal(SIGINT)
        #expect(await bot.waitForEnd() == 128 + SIGINT)
    }

    @Test func `when the only network refuses it for good it ends and says why`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let bot = try scratch.start(["run"])
        let connection = try await server.connection()
        _ = try await connection.expect("USER") { $0.command == "USER" }
        connection.send(":irc.test 464 confab :Password incorrect")
        connection.close()
        #expect(await bot.waitForEnd() == 69)
        #expect(bot.output.contains("password"))
    }

    @Test func `a network that was given up shows in the status when the others are ended by a signal`() async throws {
        let refusing = try ScriptedIRCServer()
        let server = try ScriptedIRCServer()
        try scratch.configure(["bad": refusing.port, "good": server.port])
        let bot = try scratch.start(["run"])
        let refused = try await refusing.connection()
        _ = try await refused.expect("USER") { $0.command == "USER" }
        refused.send(":irc.test 464 confab :Password incorrect")
        refused.close()
        let connection = try await welcome(server)
        _ = try await connection.expect("JOIN") { $0.command == "JOIN" }
        #expect(await eventually { bot.output.contains("gives the network up") })
        #expect(bot.exitStatus == nil)
        bot.signal(SIGTERM)
        _ = try await connection.expect("QUIT") { $0.command == "QUIT" }
        connection.close()
        #expect(await bot.waitForEnd() == 69)
        #expect(bot.output.contains("a network was given up before network=bad"), "\(bot.output)")
    }

    @Test func `two bots do not share a state directory`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let first = try scratch.start(["run"])
        _ = try await server.connection()
        let second = try scratch.start(["run"])
        #expect(await second.waitForEnd() == 74)
        #expect(second.output.contains("state_directory of its own"))
        #expect(first.exitStatus == nil)
    }

    @Test func `a state directory that others may read is refused`() async throws {
        try scratch.configure()
        try #require(unsafe mkdir(scratch.file("state"), 0o755) == 0)
        let bot = try scratch.start(["run"])
        #expect(await bot.waitForEnd() == 73)
    }

    @Test func `a wrong configuration ends it before anything happens, with every problem told`() async throws {
        try scratch.configure(["test": 70_000], rest: "temprature = 1")
        for command in ["run", "check"] {
            let bot = try scratch.start([command])
            #expect(await bot.waitForEnd() == 78)
            #expect(bot.output.contains("networks[0].port = 70000: out of range"))
            #expect(bot.output.contains("Did you mean temperature?"))
        }
        #expect(unsafe access(scratch.file("state"), F_OK) != 0)
    }

    @Test func `an unknown option is told with the usage`() async throws {
        let bot = try scratch.start(["run", "--fast"])
        #expect(await bot.waitForEnd() == 64)
        #expect(bot.output.contains("unknown option --fast") && bot.output.contains("Usage:"))
    }

    @Test func `systemd hears that it is ready, lives and ends`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let socket = try NotifySocket(at: scratch.file("notify"))
        let environment = ["NOTIFY_SOCKET": scratch.file("notify"), "WATCHDOG_USEC": "50000"]
        let bot = try scratch.start(["run"], environment: environment)
        #expect(await eventually { socket.next() == "READY=1" })
        #expect(await eventually { socket.next() == "WATCHDOG=1" })
        bot.signal(SIGTERM)
        #expect(await eventually { socket.next() == "STOPPING=1" })
        #expect(await bot.waitForEnd() == 0)
    }

    @Test func `memory never goes into a core file`() async throws {
        let server = try ScriptedIRCServer()
        try scratch.configure(["test": server.port])
        let bot = try scratch.start(["run"])
        _ = try await server.connection()
        let limits = try SecretSource(directory: "/").contents(
            of: "/proc/\(bot.identifier)/limits", isPrivate: false, limit: 1 << 16)
        let line = String(decoding: limits, as: UTF8.self).split(separator: "\n").first { $0.contains("core file") }
        #expect(line?.split(separator: " ").suffix(3) == ["1", "1", "bytes"])
    }
}
