import Domain
import Formatting
import TestKit
import Testing

@testable import Dialogue

/// Threat 20: an answer that names many people rings for none of them.
@Suite struct MentionsTests {
    private static let joiner = Mentions.joiner

    private func member(_ word: Substring) -> Nick? {
        ["alice", "bob", "c[]", "d"].contains(word.lowercased()) ? Nick(String(word), .rfc1459) : nil
    }

    @Test func `nicks are found as words, among whatever signs, and in no longer word`() {
        let lines = ["Alice, bob's and c[]: (d)", "[alice]|bob `bob`", "alicex bobby dd c[]x alice_"]
        #expect(Mentions.nicks(in: [lines[0]], member).count == 4)
        #expect(Mentions.nicks(in: [lines[1]], member).count == 2)
        #expect(
            Mentions.broken(MarkdownLine(lines[1]), member)
                == "[a\(Self.joiner)lice]|b\(Self.joiner)ob `b\(Self.joiner)ob`")
        #expect(Mentions.broken(MarkdownLine("bobby dd"), member) == "bobby dd")
    }

    @Test func `code is left as it is, in a line and in a block`() async throws {
        let text = "Run `chown bob:alice /home/d` as **bob**, says d.\n```\nsudo chown bob:alice d\n```"
        for format in AnswerFormat.allCases {
            let lines = Rendition(text, isCut: false, format: format).content.map { Mentions.broken($0, member) }
            #expect(
                lines.map(FormattingCode.stripped) == [
                    "Run `chown bob:alice /home/d` as b\(Self.joiner)ob, says d\(Self.joiner).",
                    "  sudo chown bob:alice d",
                ])
        }
    }

    @Test func `a place in a broken line is the place in the line itself`() {
        let line = "\u{2}alice\u{2}, b\(Self.joiner)ob and 日本 bob"
        let broken = Mentions.broken(MarkdownLine(line), member)
        #expect(broken != line)
        let plain = FormattingCode.stripped(broken)
        for count in 0...plain.utf8.count {
            guard let said = String(plain.utf8.prefix(count)) else { continue }
            let own = Mentions.bytes(count, of: broken, in: line)
            let rest = FormattingCode.stripped(line).utf8.dropFirst(own)
            #expect(said.utf8.count - own <= 2 * Self.joiner.utf8.count)
            #expect(String(rest) != nil, "no character is cut")
        }
        #expect(Mentions.bytes(.max, of: broken, in: line) == FormattingCode.stripped(line).utf8.count)
    }

    @Test func `two members may be named, three are broken, and the asker's own nick is not`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        for name in ["bob", "carol", "dave"] { _ = scene.arrives(name) }
        try await scene.registers(alice)
        let asks = { (answer: String, seen: String) in
            scene.api.answer(by: ScriptedCompletions.saying(answer))
            scene.says(alice, "who?", in: "#confab")
            try await scene.sees("#confab <bot> alice: \(seen)")
        }
        try await asks("Bob and carol, alice.", "Bob and carol, alice.")
        let broken = "B\(Self.joiner)ob, c\(Self.joiner)arol and d\(Self.joiner)ave, alice."
        try await asks("Bob, carol and dave, alice.", broken)
        try await asks("erin, frank and grace", "erin, frank and grace")
        scene.api.answer(by: ScriptedCompletions.saying("bob carol dave"))
        scene.says(alice, "who?")
        try await scene.sees("alice <bot> bob carol dave")
    }

    @Test func `a list of all present leaves at most two whole nicks, and MORE goes on where it ended`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let others = (1...50).map { "member\($0)" }
        for other in others { _ = scene.arrives(other) }
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying(others.map { "- \($0)" }.joined(separator: "\n")))
        scene.says(alice, "who is here?", in: "#confab")
        try await scene.sees("#confab <bot> … 47 more")
        let said = scene.link.transcript.filter { $0.hasPrefix("#confab") }
        #expect(!said.contains { line in others.contains { line.contains($0) } })
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] - member4")
    }

    @Test func `an answer that comes in piece by piece names no third member either`() async throws {
        let scene = try await Scene { $0.channels[Scene.network]?[0].streaming = .sentences }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        for name in ["bob", "carol", "dave"] { _ = scene.arrives(name) }
        try await scene.registers(alice)
        scene.says(alice, "who?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text("There is bob, and carol. There"))
        try await scene.sees("#confab <bot> alice: There is bob, and carol.")
        scene.api.asked[0].stream.yield(.text(" is dave. And"))
        try await scene.sees("#confab <bot> There is d\(Self.joiner)ave.")
    }
}
