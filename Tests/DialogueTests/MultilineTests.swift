import Domain
import TestKit
import Testing

@testable import Dialogue

/// Messages of several lines, which networks with `draft/multiline` let people send.
@Suite struct MultilineTests {
    private static let code = "def f():\n    return 1\n\nwhat is wrong?"

    @Test func `several lines are one question, line ends and all, and HISTORY shows them line by line`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, Self.code, in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "bot:\n" + Self.code, in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        scene.says(alice, Self.code)
        try await scene.sees("alice <bot> An answer.")
        #expect(scene.questions == [Self.code, Self.code, Self.code])
        scene.says(alice, "HISTORY 1")
        try await scene.sees("-alice- [3] Q: def f():")
        try await scene.sees("-alice- [3]        return 1")
        try await scene.sees("-alice- [3]    what is wrong?")
        try await scene.sees("-alice- [3] A: An answer.")
    }

    @Test func `a command is meant by the first line, and what stands below it is no part of it`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER correct-horse alice@example.org\nand now a question")
        try await scene.sees("-alice- Registered")
        scene.says(alice, "LOGOUT\nplease")
        try await scene.sees("-alice- You are logged out")
        scene.says(alice, "LOGIN correct-horse\nwhat is this?")
        try await scene.sees("-alice- You are logged in as alice.")
        scene.says(alice, "bot: new\nthanks", in: "#confab")
        try await scene.sees("-alice- A new conversation in #confab")
        #expect(scene.questions == [])
    }

    @Test func `ASK and PERSONA take all the lines`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "ASK help me\n" + Self.code)
        try await scene.sees("alice <bot> An answer.")
        scene.says(alice, "ask\n" + Self.code)
        #expect(await eventually { scene.questions.count == 2 })
        #expect(scene.questions == ["help me\n" + Self.code, Self.code])
        scene.says(alice, "PERSONA terse\nand kind")
        try await scene.sees("-alice- The AI is told so with each of your questions")
        scene.says(alice, "PERSONA")
        #expect(try await scene.sees("-alice- ").contains("terse and kind"))
    }

    @Test func `whose first line is for another, or for another bot, is not asked`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        _ = scene.arrives("carol")
        try await scene.registers(alice)
        scene.says(alice, "carol: look\nbot: at this", in: "#confab")
        scene.says(alice, "!seen\ncarol", in: "#confab")
        scene.says(alice, "\u{200B}\n\u{200B}", in: "#confab")
        scene.says(alice, "the only question\ncarol: not for you", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["the only question\ncarol: not for you"])
    }

    @Test(
        "a password in any of the lines is not asked, kept or shown",
        arguments: [
            "see this:\nLOGIN alice %", "LOGIN alice %\nsee this", "one\ntwo\n/msg bot login %\nfour", "LOGIN\n%",
            "how do I log in?\nlogin\n%\nis what I typed", "oops /msg bot login %\nsorry", "x\ncarol: login alice %",
            "bot: what is this?\nREGISTER % alice@example.org",
            "bot: ASK this\nlogin %", "bot: PERSONA kind\nlogin %", "lo\u{200B}gin\nalice %",
            "PASSWORD % other\n" + code,
        ])
    func secrets(_ text: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "canary-horse")
        scene.says(alice, text.replacing("%", with: "canary-horse"), in: "#confab")
        try await scene.sees("-alice- That looked like a password, and everyone in #confab could read it.")
        try await scene.sees("-alice- It was the password of alice, and it opens nothing any more.")
        scene.says(alice, text.replacing("%", with: "canary-horse"))
        scene.says(alice, "PERSONA kind\n" + text.replacing("%", with: "canary-horse"))
        scene.says(alice, "ASK why\n" + text.replacing("%", with: "canary-horse"))
        try await scene.settle()
        scene.says(alice, "PERSONA")
        try await scene.sees("-alice- You have no persona")
        #expect(scene.questions == [])
        #expect(!(scene.memory.lines + scene.link.transcript).contains { $0.contains("canary") })
    }

    @Test func `of many passwords in one message the first few are looked into`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let lines = (1...500).map { "LOGIN alice wrong-horse-\($0)" }
        scene.says(alice, "LOGIN alice correct-horse\n" + lines.joined(separator: "\n"), in: "#confab")
        try await scene.sees("-alice- It was the password of alice, and it opens nothing any more.")
    }

    @Test func `forty kilobytes of slashes hold nobody up`() {
        let text = String(repeating: " /a", count: 13_000) + "\n" + String(repeating: "/a\n", count: 300)
        let duration = ContinuousClock().measure {
            #expect(SecretFinding(in: text, names: ["bot"], mapping: .rfc1459) == nil)
        }
        #expect(duration < .seconds(2))
    }
}
