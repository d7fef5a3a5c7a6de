import Glibc
import TestKit
import Testing

/// What the machine does to a bot that runs.
@Suite(.timeLimit(.minutes(2))) struct OperationTests {
    private static let brisk = ConfabProcess.brisk

    @Test func `a log that nobody reads stops nothing`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI { .text("answer to \($0.question)") }
        // As small as a pipe can be, open for reading and never read.
        unsafe mkfifo(scratch.file("confab.log"), 0o600)
        let reader = unsafe open(scratch.file("confab.log"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        _ = fcntl(reader, 1031 /* F_SETPIPE_SZ */, 4096)
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: Self.brisk, api: api,
            rest: "[limits.account]\nper_minute = 0\n[log]\nlevel = \"debug\"")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        for number in 1...60 {
            alice.say("question \(number)", to: "#confab")
            try await alice.expectMessage(from: "confab", to: "#confab", containing: "answer to question \(number)")
        }
        #expect(await bot.stop() == 0)
    }

    @Test func `SIGHUP ends nothing`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let bot = try ConfabProcess(in: scratch, port: server.port, pace: Self.brisk, api: try ScriptedAPI())
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        bot.program.signal(SIGHUP)
        #expect(await eventually { bot.program.output.contains("SIGHUP came") })
        bot.program.signal(SIGHUP)
        try await alice.register()
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: ["state/confab.sqlite", "state"])
    func `a store that is deleted is noticed, and nothing more is taken`(name: String) async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI { .text("answer to \($0.question)") }
        let bot = try ConfabProcess(in: scratch, port: server.port, pace: Self.brisk, api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        let bobby = try await IRCClient(nick: "bobby", port: server.port)
        try await alice.meet(in: "#confab")
        try await bobby.meet(in: "#confab")
        try await alice.register()
        unsafe rename(scratch.file(name), scratch.file("away"))
        alice.say("anybody there?", to: "#confab")
        try await alice.expectNotice(from: "confab", containing: "cannot keep records")
        bobby.say("REGISTER correct-horse bobby@example.org", to: "confab")
        try await bobby.expectNotice(from: "confab", containing: "cannot keep records")
        #expect(api.requests.isEmpty)
        #expect(
            await eventually(within: .seconds(30)) {
                bot.program.output.contains("nothing is stored, and nothing taken")
            })
        let status = try Program(
            Places.confab, ["status", "--config", scratch.file("confab.toml")], logFile: scratch.file("status"))
        #expect(await status.waitForEnd() == (name == "state" ? 69 : 0))
        #expect(status.output.contains(name == "state" ? "is not there" : "store: nothing is stored"))
        _ = await bot.stop()
    }

    @Test func `an answer that is in the socket when the process wakes did not take too long`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI()
        let long = (1...400).map { "sentence \($0) of a long answer." }.joined(separator: " ")
        api.answer(after: .seconds(1)) { _ in .text(long + " The end.") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: Self.brisk, channelLines: "max_lines = 100", api: api,
            apiLines: "connect_timeout = \"1s\"\nfirst_byte_timeout = \"2s\"\ntotal_timeout = \"2s\"")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        alice.say("why?", to: "#confab")
        #expect(await eventually { !api.requests.isEmpty })
        bot.program.signal(SIGSTOP)
        // The standstill itself, which is longer than every deadline.
        try await Task.sleep(for: .seconds(4))
        bot.program.signal(SIGCONT)
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "The end.")
        #expect(!bot.program.output.contains("timedOut"))
        #expect(await bot.stop() == 0)
    }

    /// Each is one that did harm: hung for ever, trapped, or ended without a word.
    @Test(arguments: [
        "--nofile=8:8", "--nofile=16:16", "--nofile=24:24", "--as=60000000", "--as=150000000", "--as=400000000",
    ])
    func `a process without room goes on, or ends soon with a last word`(limit: String) async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let first = try ConfabProcess(in: scratch, port: server.port, pace: Self.brisk, api: try ScriptedAPI())
        #expect(await eventually { first.program.output.contains("online") })
        #expect(await first.stop() == 0)
        let bot = try Program(
            "/usr/bin/prlimit", [limit, Places.confab, "run", "--config", scratch.file("confab.toml")],
            logFile: scratch.file("limited.log"))
        _ = await eventually {
            bot.hasEnded || ["online", "no sockets left", "connection ended"].contains { bot.output.contains($0) }
        }
        bot.signal(SIGTERM)
        let status = await bot.waitForEnd()
        // Within the program's own statuses; a signal's are above them.
        #expect(status.map { [0, 69, 70, 71, 73, 74, 78, 127].contains($0) } == true, "\(String(describing: status))")
        #expect(!bot.output.isEmpty)
    }
}
