import TestKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FormatTests {
    @Test func `a channel without colours hears the answer in plain text`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates, withServices: false)
        let api = try ScriptedAPI { .text("A **bold** answer to \($0.question).") }
        // Who comes first has op there.
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#confab")
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, channelLines: "format = \"irc\"", api: api)
        try await alice.expect("the bot") { $0.command == "JOIN" && $0.source == "confab" }
        try await alice.register()
        alice.say("one", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "A \u{2}bold\u{2} answer to one.")
        alice.send("MODE #confab +c")
        try await alice.expect("the mode") { $0.command == "MODE" }
        for question in ["two", "three"] {
            alice.say(question, to: "#confab")
            try await alice.expectMessage(from: "confab", to: "#confab", containing: "A bold answer to \(question).")
        }
        #expect(!alice.heard(from: "confab").contains { $0.contains("could not be said") })
        #expect(await bot.stop() == 0)
    }
}
