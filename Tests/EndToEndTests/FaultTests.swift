import Glibc
import TestKit
import Testing

@Suite struct FaultTests {
    /// What a broken API does, and the kind of failure that the log must call it.
    private static let faults: [(name: String, reply: APIReply, kind: String)] = [
        ("429", .status(429, body: #"{"error":{"message":"slow down","type":"rate_limit"}}"#), "rateLimited"),
        ("500", .status(500, body: #"{"error":{"message":"boom"}}"#), "unavailable"),
        ("401 that echoes the key", .status(401, body: #"{"error":{"message":"bad key canary-key"}}"#), "unauthorized"),
        ("404", .status(404, body: #"{"error":{"message":"no such model"}}"#), "notFound"),
        ("cut in mid-stream", .cut(after: "half an answer"), "interrupted"),
        (
            "a captive portal", .raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>Log in</html>"),
            "malformed"
        ),
        ("garbage", .raw("\u{1}\u{2}\u{3} not even HTTP"), "malformed"),
        ("nothing at all", .silence, "timedOut"),
        ("a reset", .reset, "unavailable"),
        ("an empty answer", .text(""), "empty"),
    ]

    @Test func `every failure of the API is one plain sentence, and the next question is answered`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let api = try ScriptedAPI()
        let key = try scratch.secret("canary-key", named: "key")
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: "burst = 50\ninterval = \"10ms\"", api: api,
            apiLines: "key_file = \"\(key)\"\nfirst_byte_timeout = \"2s\"\ntotal_timeout = \"4s\"")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        for (name, reply, kind) in Self.faults {
            api.answer { _ in reply }
            let logged = bot.program.output.count
            let before = alice.heard(from: "confab").count
            alice.say("question about \(name)", to: "#confab")
            #expect(await eventually { alice.heard(from: "confab").count > before }, "no word after \(name)")
            let said = alice.heard(from: "confab").dropFirst(before)
            #expect(said.count == 1, "\(name): \(said)")
            #expect(
                said.allSatisfy { $0.utf8.count < 200 && !$0.contains("{") && !$0.contains("<") }, "\(name): \(said)")
            let log = bot.program.output.dropFirst(logged)
            #expect(log.contains("kind=\(kind)"), "\(name): \(log)")
            api.answer { .text("recovered from \($0.question)") }
            alice.say("and \(name)?", to: "#confab")
            try await alice.expectMessage(from: "confab", to: "#confab", containing: "recovered from and \(name)?")
        }
        #expect(!bot.program.output.contains("canary-key"))
        #expect(await bot.stop() == 0)
        let states = try await bot.rows("SELECT state, count(*) FROM exchanges GROUP BY state ORDER BY state")
        #expect(states == ["answered|\(Self.faults.count)", "failed|\(Self.faults.count)"])
    }

    @Test func `an API that is down is said to be, and asked again when it is back`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(in: scratch, port: server.port, api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        api.close()
        #expect(await eventually { api.hasEnded })
        let before = alice.heard(from: "confab").count
        alice.say("are you there?", to: "#confab")
        #expect(await eventually { alice.heard(from: "confab").count > before })
        let back = try ScriptedAPI(port: api.port)
        alice.say("and now?", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "You said: and now?")
        #expect(back.requests.count == 1)
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: Ircd.allCases)
    func `a killed ircd that comes back finds the bot in its channel, and nobody still logged in`(
        ircd: Ircd
    ) async throws {
        let scratch = try Scratch()
        let first = try await ircd.start(in: scratch)
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(in: scratch, port: first.port, api: api)
        let alice = try await IRCClient(nick: "alice", port: first.port)
        try await alice.meet(in: "#confab")
        try await alice.register(password: "correct-horse")
        first.program.kill()
        let second = try await ircd.start(in: scratch, port: first.port)
        let again = try await IRCClient(nick: "alice", port: second.port)
        try await again.meet(in: "#confab")
        again.say("do you know me?", to: "#confab")
        again.say("WHOAMI", to: "confab")
        try await again.expectNotice(from: "confab", containing: "not logged in")
        #expect(api.requests.isEmpty)
        again.say("LOGIN correct-horse", to: "confab")
        try await again.expectNotice(from: "confab", containing: "alice")
        again.say("and now?", to: "#confab")
        try await again.expectMessage(from: "confab", to: "#confab", containing: "You said: and now?")
        #expect(await bot.stop() == 0)
    }

    @Test func `a bot killed amid a hundred answers loses no question and repeats no answer`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let api = try ScriptedAPI(latency: .milliseconds(150)) { .text("answer to \($0.question)") }
        let quick = "burst = 1000\ninterval = \"1ms\""
        let bot = try ConfabProcess(in: scratch, port: server.port, pace: quick, api: api)
        let listener = try await IRCClient(nick: "listener", port: server.port)
        try await listener.meet(in: "#confab")
        var people: [IRCClient] = []
        for number in 0..<25 {
            let person = try await IRCClient(nick: "p\(number)", port: server.port)
            try await person.join("#confab")
            try await person.register()
            people.append(person)
        }
        for round in 0..<2 { people.forEach { $0.say("\($0.nick) asks \(round)", to: "#confab") } }
        #expect(await eventually { listener.heard(from: "confab", to: "#confab").count == 50 })
        api.answer(after: .seconds(60)) { .text("too late for \($0.question)") }
        for round in 2..<4 { people.forEach { $0.say("\($0.nick) asks \(round)", to: "#confab") } }
        #expect(await eventually { api.requests.count > 60 })
        bot.program.kill()
        try await listener.expect("the end of the bot") { $0.command == "QUIT" && $0.source == "confab" }
        let saidBefore = listener.heard(from: "confab", to: "#confab").count

        let restarted = try ConfabProcess(again: scratch)
        // ngircd may still hold the old connection, and with it the nick.
        try await listener.expect("the bot again") { $0.command == "JOIN" && $0.source.hasPrefix("confab") }
        let asked = Set(api.requests.map(\.question))
        let stored = try await restarted.rows("SELECT question, state FROM exchanges").map { $0.split(separator: "|") }
        #expect(Set(stored.map { String($0[0]) }).count == stored.count, "a question is stored twice")
        #expect(asked.isSubset(of: stored.map { String($0[0]) }), "a question was asked that is not stored")
        #expect(stored.allSatisfy { ["answered", "interrupted"].contains($0[1]) })
        #expect(stored.contains { $0[1] == "interrupted" })
        let said = listener.heard(from: "confab", to: "#confab")
        #expect(said.count == saidBefore, "an old answer was said after the restart")
        #expect(Set(said).count == said.count, "an answer was said twice")
        #expect(await restarted.stop() == 0)
    }
}
