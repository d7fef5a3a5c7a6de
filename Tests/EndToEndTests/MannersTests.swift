import TestKit
import Testing

/// The built bot among people who talk as people do.
@Suite struct MannersTests {
    /// The other servers hold such lines back themselves.
    @Test func `lines of one breath are one question`() async throws {
        let scratch = try Scratch()
        let server = try await Ircd.inspircd.start(in: scratch)
        let api = try ScriptedAPI { .text("\($0.question.split(separator: "\n").count) lines") }
        api.answer(after: .milliseconds(400)) { .text("\($0.question.split(separator: "\n").count) lines") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api,
            rest: "[answers]\ngather = \"1.2s\"")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        for line in ["What is wrong with this?", "func f() {", "return 1", "}", "Thanks!"] {
            alice.say(line, to: "#confab")
        }
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "alice: 5 lines")
        #expect(await bot.stop() == 0)
        let questions = try await bot.rows("SELECT replace(question, char(10), ' / ') FROM exchanges")
        #expect(questions == ["What is wrong with this? / func f() { / return 1 / } / Thanks!"])
    }

    @Test func `a member's answer comes before what strangers asked to be told`() async throws {
        let scratch = try Scratch()
        let server = try await Ircd.ngircd.start(in: scratch)
        let api = try ScriptedAPI { _ in .text("at once") }
        let bot = try ConfabProcess(in: scratch, port: server.port, api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        var strangers: [IRCClient] = []
        for number in 1...8 {
            let stranger = try await IRCClient(nick: "s\(number)", port: server.port)
            try await stranger.meet(in: "#confab")
            strangers.append(stranger)
        }
        for stranger in strangers { for _ in 1...4 { stranger.say("HELP", to: "confab") } }
        try await strangers[0].expectNotice(from: "confab", containing: "HELP")
        alice.say("and I?", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "at once", within: .seconds(30))
        let told = strangers.reduce(0) { $0 + $1.heard(from: "confab", to: "s\($1.nick.dropFirst())").count }
        #expect(told < 20, "the strangers heard \(told) lines first")
        #expect(await bot.stop() == 0)
    }
}
