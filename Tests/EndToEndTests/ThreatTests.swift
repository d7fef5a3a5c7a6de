import FoundationEssentials
import TestKit
import Testing

/// Threats of which the whole bot has to show that nothing comes.
@Suite(.timeLimit(.minutes(2)))
struct ThreatTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let cheap = "[accounts]\nhash_memory_mib = 8\nhash_passes = 1\nregistrations_per_address = 1000\n"
    private static let unlimited = "[limits.account]\nper_minute = 0\n"

    @Test func `the key of the API is in no argument, environment, log, database or line`() async throws {
        let key = "canary-key-5d1f"
        let file = try scratch.secret(key, named: "api.key")
        let server = try await NGIRCd(in: scratch)
        // An API that tells the key back to whoever used it.
        let api = try ScriptedAPI { request in
            let error = "{\"error\":{\"message\":\"Incorrect API key provided: \(key)\"}}"
            return request.question == "wrong?" ? .status(401, body: error) : .text("All right.")
        }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api, apiLines: "key_file = \"\(file)\"")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        alice.say("right?", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "All right.")
        alice.say("wrong?", to: "#confab")
        try await alice.expectNotice(from: "confab", containing: "does not accept this bot's key")
        for name in ["cmdline", "environ"] {
            let bytes = try String(
                contentsOfFile: "/proc/\(bot.program.identifier)/\(name)", encoding: .utf8)
            #expect(!bytes.isEmpty && !bytes.contains(key), "in \(name)")
        }
        #expect(api.requests.contains { $0.headers.values.contains("Bearer \(key)") })
        #expect(await bot.stop() == 0)
        #expect(!bot.program.output.contains(key))
        #expect(try bot.storedBytes().firstRange(of: Array(key.utf8)) == nil)
        #expect(!alice.lines.contains { $0.raw.contains(key) })
    }

    private static let payloads = [
        "'", "''", "\"", "';--", "' OR '1'='1", "'; DROP TABLE accounts;--", "\") OR 1=1 --", "NEAR(a b)", "*",
        "canary*",
        "-canary", "canary OR a", "(canary", "%", "_", "\\", "?1", ":name", "@x",
        "1 UNION SELECT answer FROM exchanges",
    ]
    private static let forms = [
        "{}", "ASK {}", "HISTORY {}", "MORE {}", "LOGIN {} {}", "RESET {}", "PROFILE NAME {}", "SET LANGUAGE {}",
        "PERSONA {}", "SESSIONS END {}",
    ]

    @Test func `two hundred payloads for SQL are text, tell no error, and show nothing of others`() async throws {
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI { .text("echo \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api, rest: Self.cheap + Self.unlimited)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        let mallory = try await IRCClient(nick: "mallory", port: server.port)
        for person in [alice, mallory] {
            try await person.meet(in: "#confab")
            try await person.register()
        }
        alice.say("a canary of alice", to: "confab")
        try await alice.expectMessage(from: "confab", to: "alice", containing: "echo a canary of alice")
        for form in Self.forms {
            for payload in Self.payloads {
                mallory.say(form.replacing("{}", with: payload), to: "confab")
                mallory.say("WHOAMI", to: "confab")
                try await mallory.expectNotice(from: "confab", containing: "logged in as mallory")
            }
        }
        mallory.say("HISTORY 50", to: "confab")
        try await mallory.expectNotice(from: "confab", containing: "End of history")
        let heard = mallory.heard(from: "confab")
        #expect(!heard.contains { $0.contains("canary of alice") })
        for word in ["sqlite", "syntax error", "unrecognized token", "no such column", "I cannot keep records"] {
            #expect(!heard.contains { $0.contains(word) }, "\(word)")
        }
        #expect(heard.contains { $0.contains("echo '; DROP TABLE accounts;--") })
        #expect(!bot.program.output.contains("The store failed"))
        #expect(try await bot.rows("SELECT name FROM accounts ORDER BY id") == ["alice", "mallory"])
        #expect(try await bot.rows("PRAGMA integrity_check") == ["ok"])
        #expect(await bot.stop() == 0)
    }

    @Test func `no line of an answer begins with what other bots obey`() async throws {
        let commands = "!.~@&,-+;?/%`".map { "\($0)op mallory" }
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI { _ in .text(commands.joined(separator: "\n")) }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, channelLines: "max_lines = 20", api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        alice.say("what do I type?", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "`op mallory")
        let said = alice.heard(from: "confab", to: "#confab")
        #expect(said == ["alice: " + commands[0]] + commands.dropFirst().map { "│ " + $0 })
        #expect(await bot.stop() == 0)
    }

    @Test func `two hundred people with twenty questions each cost little memory, few refusals and no PONG`()
        async throws
    {
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI(latency: .milliseconds(50)) { .text("echo \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api,
            rest: Self.cheap + "registrations_overall = 1000\n" + Self.unlimited)
        let network = try await server.connection()
        let nick = try await network.welcome()
        let people = (0..<200).map { "p\($0)" }
        try await network.admit(nick, to: "#confab", with: people)
        for person in people {
            network.send(":\(person)!u@\(person).test PRIVMSG \(nick) :REGISTER correct-horse \(person)@example.org")
            _ = try await network.expect("the registration of \(person)") {
                $0.command == "NOTICE" && $0.target == person && $0.text.hasPrefix("Registered")
            }
        }
        let rest = try #require(bot.program.memory())
        let questions = (1...20).flatMap { number in
            people.map { ":\($0)!u@\($0).test PRIVMSG #confab :question \(number) of \($0)\r\n" }
        }
        network.send(bytes: Array(questions.joined().utf8))
        for number in 1...10 { #expect(try await network.ping("number\(number)") < .seconds(1)) }
        // One is asked at once and three wait, whatever comes of the others.
        let isAnswered = await eventually(within: .seconds(60)) {
            network.lines.count { $0.command == "PRIVMSG" && $0.text.contains("echo question") } >= 4 * people.count
        }
        #expect(isAnswered)
        let refusals = network.lines.filter { $0.command == "NOTICE" && $0.text.contains("questions waiting already") }
        #expect(!refusals.isEmpty && refusals.count == Set(refusals.map(\.target)).count)
        let peak = try #require(bot.program.memory("VmHWM"))
        #expect(peak - rest <= 64 * 1024, "\(rest) KiB before, \(peak) KiB at most")
        #expect(await bot.stop() == 0)
    }
}
