import TestKit
import Testing

@Suite struct FirstVisitTests {
    @Test(arguments: Ircd.allCases)
    func `two people in two channels each get their own answers and their own history`(ircd: Ircd) async throws {
        let scratch = try Scratch()
        let server = try await ircd.start(in: scratch)
        let api = try ScriptedAPI { .text("echo \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, channels: ["#confab", "#other"], api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        let bob = try await IRCClient(nick: "bob", port: server.port)
        try await alice.meet(in: "#confab")
        try await bob.meet(in: "#confab")
        try await bob.meet(in: "#other")
        try await alice.register()
        try await bob.register()

        alice.say("what is IRC?", to: "#confab")
        bob.say(":) leading colon, ünïcödé and 🙂", to: "#other")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "alice: echo what is IRC?")
        try await bob.expectMessage(
            from: "confab", to: "#other", containing: "bob: echo :) leading colon, ünïcödé and 🙂")
        alice.say("and in private?", to: "confab")
        try await alice.expectMessage(from: "confab", to: "alice", containing: "echo and in private?")

        alice.say("history", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "echo what is IRC?")
        try await alice.expectNotice(from: "confab", containing: "echo and in private?")
        bob.say("HISTORY", to: "confab")
        try await bob.expectNotice(from: "confab", containing: "leading colon")
        #expect(!bob.heard(from: "confab", to: "bob").contains { $0.contains("what is IRC?") })

        alice.say("LOGOUT", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "ogged out")
        alice.say("is anybody there?", to: "#confab")
        alice.say("WHOAMI", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "not logged in")
        #expect(!api.requests.contains { $0.body.contains("is anybody there?") })
        #expect(await bot.stop() == 0)
        #expect(try await bot.rows("SELECT count(*) FROM exchanges WHERE state = 'answered'") == ["3"])
    }
}
