import TestKit
import Testing

/// The whole bot on a network with `draft/multiline`, which none of the real servers here has.
@Suite(.timeLimit(.minutes(1)))
struct MultilineTests {
    @Test func `pasted code is one question to the API, and its answer of several lines one message`() async throws {
        let rules = MultilineServer(echoSource: "confab!confab@bot.test")
        let server = try ScriptedIRCServer(multiline: rules)
        let api = try ScriptedAPI { _ in .text("1. first\n2. second\n3. third") }
        let bot = try ConfabProcess(in: try Scratch(), port: server.port, pace: ConfabProcess.brisk, api: api)
        let wire = try await server.connection()
        let nick = try await wire.welcome(
            capabilities: "batch message-tags echo-message labeled-response account-tag \(rules.capability)")
        try await wire.admit(nick, to: "#confab", with: ["alice"])
        wire.send(":alice!a@a.test PRIVMSG \(nick) :REGISTER correct-horse alice@example.org")
        _ = try await wire.expect("the registration") { $0.command == "NOTICE" && $0.text.hasPrefix("Registered") }
        wire.send("@msgid=1 :alice!a@a.test BATCH +77 draft/multiline #confab")
        for line in ["if x:", "    y()", "what does it do?"] {
            wire.send("@batch=77 :alice!a@a.test PRIVMSG #confab :\(line)")
        }
        wire.send(":irc.test BATCH -77")
        let answer = "alice: 1. first\n2. second\n3. third"
        #expect(await eventually { rules.messages.contains { $0.target == "#confab" && $0.text == answer } })
        #expect(api.requests.map(\.question) == ["if x:\n    y()\nwhat does it do?"])
        wire.send(":alice!a@a.test PRIVMSG \(nick) :HISTORY")
        #expect(
            await eventually {
                rules.messages.contains { $0.text.contains("[1] Q: if x:\n[1]        y()\n[1]    what does it do?") }
            })
        #expect(rules.violations == [])
        #expect(await bot.stop() == 0)
    }
}
