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
        return [japanese, code, list, japanese, end].joined(separator: "\n\n")
    }()
    private static let end = "This is the end."

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
        #expect(lines.allSatisfy { $0.raw.utf8.count <= 510 })
        #expect(lines.map { $0.text.hasPrefix("alice: ") } == [true, false, false, false, false, false])
        #expect(lines.allSatisfy { !$0.raw.contains("\u{FFFD}") })
        // The answer begins as it was written, and no character is lost where one line ends and the next begins.
        let joined = lines.prefix(5).map { $0.text.replacing("alice: ", with: "") }.joined()
        #expect(Self.essay.hasPrefix(joined))
        #expect(!alice.lines.contains { $0.command == "QUIT" && $0.source == "confab" })
        #expect(await bot.stop() == 0)
    }

    /// The servers here take lines as fast as they come: what they are slow at is the test above.
    @Test(.timeLimit(.minutes(1)), arguments: Ircd.allCases)
    func `the rest comes whole by MORE, and ten others do not wait behind it`(ircd: Ircd) async throws {
        let scratch = try Scratch()
        let server = try await ircd.start(in: scratch, isPatient: true)
        let api = try ScriptedAPI { $0.question == "essay" ? .text(Self.essay) : .text("short: \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: "burst = 4\ninterval = \"25ms\"", channelLines: "max_lines = 3",
            api: api, rest: "[answers]\nmax_lines = 12")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        var others: [IRCClient] = []
        for number in 1...10 {
            let other = try await IRCClient(nick: "p\(number)", port: server.port)
            try await other.meet(in: "#confab")
            try await other.register()
            others.append(other)
        }
        alice.say("essay", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "MORE")
        for other in others { other.say("question of \(other.nick)", to: "confab") }
        // The last page has nothing to say after it.
        var isOver = false
        while !isOver {
            alice.say("MORE", to: "confab")
            let end = try await alice.expect("the end of a page") { line in
                line.command == "NOTICE" && line.source == "confab"
                    && (line.text.hasSuffix("more: /msg confab MORE") || line.text.hasSuffix(Self.end))
            }
            isOver = end.text.hasSuffix(Self.end)
        }
        let end = try #require(alice.lines.last).receivedAt
        for other in others {
            let text = "short: question of \(other.nick)"
            let answer = try await other.expect("the answer") { $0.text == text }
            #expect(answer.receivedAt < end, "\(other.nick) waited until the other answer was whole")
        }
        alice.say("MORE", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "all of your answers")

        let parts = alice.lines.filter { $0.source == "confab" && !$0.text.hasSuffix("more: /msg confab MORE") }
            .filter { $0.command == "PRIVMSG" && $0.target == "#confab" || $0.text.hasPrefix("[1] ") }
            .map { $0.text.replacing("alice: ", with: "").replacing("[1] ", with: "") }
        // Words are parted, not cut, at the end of a line, so the space between them is not said.
        let said = parts.joined().filter { $0 != " " }
        let wanted = Self.essay.replacing("```swift", with: "").filter { $0 != "`" && !$0.isWhitespace }
        #expect(said == wanted)
        #expect(!alice.lines.contains { $0.command == "QUIT" && $0.source == "confab" })
        #expect(await bot.stop() == 0)
    }
}
