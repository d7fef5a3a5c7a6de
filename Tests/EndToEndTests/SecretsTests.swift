import TestKit
import Testing

@Suite struct SecretsTests {
    private static let canary = "kanarienvogel77"

    /// The ways people type a password where it does not belong, and where it does.
    private static let inChannel = [
        "LOGIN \(canary)", "login alice \(canary)", " login \(canary)", "confab: login \(canary)",
        "confab, LOGIN alice \(canary)", "/msg confab login \(canary)", "/login \(canary)", "!login \(canary)",
        ".login alice \(canary)", "REGISTER \(canary) a@example.org", "register a@example.org \(canary) Alice",
        "@confab login \(canary)", "ＬＯＧＩＮ \(canary)", "lo\u{200B}gin \(canary)", "login: \(canary)",
        "`login \(canary)`", "\"login \(canary)\"", "msg confab login \(canary)",
        "/query confab register \(canary) a@b.org",
        "identify \(canary)",
    ]

    @Test func `a password is found nowhere, however it was typed`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let api = try ScriptedAPI { .text("You said: \($0.question)") }
        let bot = try ConfabProcess(in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        // Before there is an account, and while logged out: none of it may go anywhere.
        for line in Self.inChannel { alice.say(line, to: "#confab") }
        alice.say("LOGIN \(Self.canary)", to: "confab")
        alice.say("REGISTER \(Self.canary)", to: "confab")
        alice.say("REGISTER \(Self.canary) alice@example.org Alice Liddell", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "registered")
        // Logged in now: every line of the channel would be a question.
        for line in Self.inChannel { alice.say(line, to: "#confab") }
        alice.say("/msg confab LOGIN \(Self.canary)", to: "confab")
        alice.say("login alice \(Self.canary)", to: "confab")
        alice.say("HELP", to: "confab")
        alice.say("an honest question", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "an honest question")
        alice.say("HISTORY", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "an honest question")
        #expect(await bot.stop() == 0)

        #expect(!bot.program.output.contains(Self.canary), "in the log")
        #expect(!api.requests.contains { $0.body.contains(Self.canary) }, "in a request to the API")
        #expect(!alice.heard(from: "confab").contains { $0.contains(Self.canary) }, "in a reply")
        let stored = try bot.storedBytes()
        #expect(stored.firstRange(of: Array(Self.canary.utf8)) == nil, "in the database")
    }
}
