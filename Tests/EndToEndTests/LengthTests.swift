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

    /// On one ircd only: InspIRCd lets a line pass each second, which makes minutes of this.
    @Test func `the rest comes whole by MORE, while ten others get their answers`() async throws {
        let scratch = try Scratch()
        let server = try await Ircd.ngircd.start(in: scratch)
        let api = try ScriptedAPI { $0.question == "essay" ? .text(Self.essay) : .text("short: \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: "burst = 8\ninterval = \"500ms\"", channelLines: "max_lines = 5",
            api: api)
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
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "MORE", within: .seconds(90))
        for other in others { other.say("question of \(other.nick)", to: "confab") }
        repeat {
            alice.say("MORE", to: "confab")
            try await alice.expect("the end of a page", within: .seconds(90)) { line in
                line.command == "NOTICE" && line.source == "confab"
                    && (line.text.contains("/msg confab MORE") || line.text.contains("all of your answers"))
            }
        } while !alice.heard(from: "confab", to: "alice").contains { $0.contains("all of your answers") }
        for other in others {
            try await other.expectMessage(
                from: "confab", to: other.nick, containing: "short: question of \(other.nick)")
        }
        let said = alice.heard(from: "confab").filter { !$0.contains("/msg confab MORE") }
        var answer: [UInt8] = []
        for line in said {
            guard let prefix = ["alice: ", "[1] "].first(where: { line.hasPrefix($0) }) else { continue }
            answer += line.utf8.dropFirst(prefix.utf8.count).filter { $0 != 0x20 }
        }
        let wanted = Self.essay.replacing("```swift", with: "").replacing("`", with: "")
        #expect(answer == wanted.utf8.filter { $0 != 0x20 && $0 != 0x0A })
        #expect(!alice.lines.contains { $0.command == "QUIT" && $0.source == "confab" })
        #expect(await bot.stop() == 0)
    }
}
