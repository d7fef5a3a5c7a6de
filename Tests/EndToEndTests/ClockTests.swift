import Domain
import Glibc
import Runtime
import TestKit
import Testing

/// Clocks that step while the bot is connected to a network with server-time: its own and the server's.
@Suite(.timeLimit(.minutes(5)))
struct ClockTests {
    private let scratch: Scratch
    private let clock: SteppedClock
    private let api: ScriptedAPI
    private let server: ScriptedIRCServer
    private let bot: ConfabProcess

    init() throws {
        scratch = try Scratch()
        clock = try SteppedClock(in: scratch)
        api = try ScriptedAPI { .text("echo \($0.question)") }
        server = try ScriptedIRCServer()
        bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api,
            rest: "[limits.account]\nper_minute = 0\n[log]\nlevel = \"debug\"", environment: clock.environment)
    }

    /// A line with the time that the server's clock shows.
    private func send(_ line: String, _ wire: LineConnection, at offset: Duration) {
        wire.send("@time=\((Time.system.wall() + offset).rfc3339) \(line)")
    }

    /// What is `played` back comes when the bot does.
    private func enter(at offset: Duration = .zero, played: [String] = []) async throws -> LineConnection {
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "server-time message-tags batch")
        _ = try await wire.expect("JOIN") { $0.command == "JOIN" }
        send(":confab!confab@bot.test JOIN #confab", wire, at: offset)
        wire.send(":irc.test 353 confab = #confab :confab")
        wire.send(":irc.test 366 confab #confab :End")
        for line in played { send(line, wire, at: offset - .seconds(60)) }
        send(":alice!a@home JOIN #confab", wire, at: offset)
        send(":alice!a@home PRIVMSG confab :REGISTER correct-horse alice@example.org", wire, at: offset)
        _ = try await wire.expect("the registration") { $0.text.hasPrefix("Registered") }
        return wire
    }

    /// Alice is heard, and nobody is taken for her once she has gone; then she is back.
    private func holds(_ step: String, _ wire: LineConnection, at offset: Duration) async throws {
        send(":alice!a@home PRIVMSG #confab :canary \(step)", wire, at: offset)
        _ = try await wire.expect("the answer after \(step)") { $0.text == "alice: echo canary \(step)" }
        send(":alice!a@home QUIT :gone", wire, at: offset)
        send(":alice!a@home JOIN #confab", wire, at: offset)
        send(":alice!a@home PRIVMSG confab :HISTORY", wire, at: offset)
        send(":alice!a@home PRIVMSG confab :LOGIN alice correct-horse", wire, at: offset)
        // That they are not logged in is told a few times only: they are strangers until the login is there.
        let word = try await wire.expect("a word to the impostor after \(step)") { $0.command == "NOTICE" }
        let login = "You are logged in as alice"
        #expect(word.text.contains("not logged in") || word.text.hasPrefix(login), "after \(step): \(word)")
        guard !word.text.hasPrefix(login) else { return }
        _ = try await wire.expect("the login after \(step)") { $0.text.hasPrefix(login) }
    }

    @Test func `however our clock and the server's step, nobody is deaf to and nobody is taken for another`()
        async throws
    {
        let wire = try await enter()
        let steps: [Duration] = [.seconds(90), .seconds(-120), .seconds(3600), .seconds(-3600), .seconds(86_400 * 30)]
        for step in steps {
            try clock.step(by: step)
            try await holds("ours by \(step.components.seconds)", wire, at: .zero)
            try clock.step(by: .zero)
            try await holds("the server's by \(step.components.seconds)", wire, at: step)
            try clock.step(by: .zero - step)
            try await holds("both by \(step.components.seconds)", wire, at: step)
        }
        #expect(server.connectionCount == 1)
        #expect(await bot.stop() == 0)
    }

    @Test func `however the monotonic clock leaps, as on a machine that was moved or slept, nobody is deaf to`()
        async throws
    {
        let wire = try await enter()
        for step in [Duration.seconds(90), .seconds(-120), .seconds(3600), .seconds(-3600), .seconds(7200)] {
            try clock.step(by: .zero, monotonic: step)
            try await holds("the monotonic by \(step.components.seconds)", wire, at: .zero)
            try clock.step(by: step, monotonic: step)
            try await holds("all of ours by \(step.components.seconds)", wire, at: .zero)
            try clock.step(by: .zero)
            try await holds("back from \(step.components.seconds)", wire, at: .zero)
        }
        #expect(server.connectionCount == 1)
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: [Duration.seconds(-86_400), .seconds(86_400)])
    func `a server whose clock is a day off is heard from the first line on, and what it plays back is not`(
        offset: Duration
    ) async throws {
        let wire = try await enter(
            at: offset,
            played: [":alice!a@home PRIVMSG confab :REGISTER played-back", ":alice!a@home PRIVMSG #confab :hello?"])
        #expect(wire.lines.count { $0.command == "NOTICE" } == 1)
        try await holds("a day", wire, at: offset)
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(90), .seconds(7200)])
    func `what happened while the process stood still is taken in the order of the wire`(slept: Duration) async throws {
        let wire = try await enter()
        bot.program.signal(SIGSTOP)
        let stopped = Time.system.wall()
        for line in [
            ":alice!a@home PRIVMSG #confab :asked in the meantime", ":alice!a@home QUIT :gone",
            ":alice!a@home JOIN #confab",
            ":alice!a@home PRIVMSG confab :HISTORY", "PING :still there?",
        ] { wire.send("@time=\(stopped.rfc3339) \(line)") }
        try clock.step(by: .seconds(70), monotonic: slept)
        bot.program.signal(SIGCONT)
        _ = try await wire.expect("PONG") { $0.command == "PONG" && $0.text == "still there?" }
        let word = try await wire.expect("a word to the impostor") { $0.command == "NOTICE" && $0.target == "alice" }
        #expect(!word.text.contains("asked in the meantime") && !word.text.contains("canary"))
        try await wire.ping()
        #expect(!wire.lines.contains { $0.command == "NOTICE" && $0.text.contains("asked in the meantime") })
        #expect(server.connectionCount == 1)
        #expect(await bot.stop() == 0)
    }
}
