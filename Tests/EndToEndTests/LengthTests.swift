import TestKit
import Testing

@Suite struct LengthTests {
    /// About 20 kB of what models write: Japanese without spaces, code, and a list. Of short lines there are only some:
    /// ngircd takes its time over each line, however short.
    private static let essay: String = {
        let japanese = String(repeating: "日本語の長い文章は空白なしに続きます。", count: 170)
        let code =
            "```swift\n" + (1...10).map { "    let value\($0) = compute(\($0))" }.joined(separator: "\n") + "\n```"
        let list = (1...10).map { "\($0). point number \($0) with a few words 🙂 and `code`" }.joined(separator: "\n")
        return [japanese, code, list, japanese].joined(separator: "\n\n")
    }()

    @Test(arguments: Ircd.allCases)
    func `twenty kilobytes of answer arrive as the configured lines and nobody is killed`(ircd: Ircd) async throws {
        let scratch = try Scratch()
        let server = try await ircd.start(in: scratch)
        let api = try ScriptedAPI { _ in .text(Self.essay) }
        let bot = try ConfabProcess(in: scratch, port: server.port, channelLines: "max_lines = 5", api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        #expect(Self.essay.utf8.count > 18_000)
        alice.say("write me an essay", to: "#confab")
        try await alice.expectMessage(
            from: "confab", to: "#confab", containing: "MORE", within: .seconds(90))
        let lines = alice.lines.filter { $0.command == "PRIVMSG" && $0.source == "confab" }
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { $0.text.hasPrefix("alice: ") && $0.raw.utf8.count <= 510 })
        #expect(lines.allSatisfy { !$0.raw.contains("\u{FFFD}") })
        // The answer begins as it was written, and no character is lost where one line ends and the next begins.
        let joined = lines.prefix(5).map { $0.text.dropFirst("alice: ".count) }.joined()
        #expect(Self.essay.hasPrefix(joined))
        #expect(!alice.lines.contains { $0.command == "QUIT" && $0.source == "confab" })
        #expect(await bot.stop() == 0)
    }
}
