import Accounts
import Domain
import Passwords
import TestKit
import Testing

@testable import Dialogue

/// What the link leaves out, and what it must not. That nothing else changes by it, every test with a `Scene` shows.
@Suite struct OverhearingTests {
    private static let names: Set<String> = ["bot", "[x]bot", "b-2", "_b"]

    private static let overhearing = Overhearing(
        .rfc1459, names: names, fingerprint: PasswordFingerprint(Secret("correct-horse")), shortestPassword: 6)

    private func isOfConcern(_ text: String) -> Bool { Self.overhearing.isOfConcern(Array(text.utf8)[...]) }

    @Test func `no line that calls the bot, has a word of commands in it or the password is passed over`() {
        let pieces = [
            "bot", "BOT", "[x]bot", "{X}BOT", "b-2", "_b", "@bot", "robot", "so", "what is", "login", "Login", "pass",
            "tiger", "correct-horse", "<correct-horse>", "alice", "alice:", "<alice>", "[tg] <al>", "привет", "日本", "🙂",
            " ", " ", " ", ": ", ", ", "，", "?", "!", "\"", "_", "^", "`", "|", "\u{A0}", "ｌｏｇｉｎ",
        ]
        var dice = SeededGenerator(seed: 11)
        var counts = (named: 0, secret: 0, password: 0, none: 0)
        for _ in 0..<15_000 {
            let text = (0..<Int.random(in: 1...6, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
                .joined()
            let nicks = Self.names.map { Nick($0, .rfc1459) }
            let addressing = Addressing(text, names: nicks, mapping: .rfc1459) { _ in false }
            let password = PasswordFingerprint(Secret("correct-horse"))
            let hits = PasswordSearch.words(in: text, shortest: 6, most: 1, where: password.mayBe)
            var mustBe = false
            if case .bot = addressing {
                mustBe = true
                counts.named += 1
            }
            if SecretWord.isAny(in: text) {
                mustBe = true
                counts.secret += 1
            }
            if !hits.isEmpty {
                mustBe = true
                counts.password += 1
            }
            if mustBe { #expect(isOfConcern(text), "\(text)") } else if !isOfConcern(text) { counts.none += 1 }
        }
        #expect(counts.named > 300 && counts.secret > 300 && counts.password > 300 && counts.none > 300)
    }

    @Test(
        "everyday lines are passed over",
        arguments: [
            "so anyway, the build broke again", "Did you see the game? 3:1!", "ça va, et toi ?", "Привет, как дела",
            "今日はいい天気ですね。", "https://example.org/a_c?c=d [x] {y} ~z", "!seen alice", "alice: lunch?", "2+2",
        ])
    func everyday(_ text: String) { #expect(!isOfConcern(text)) }

    @Test func `people who talk among themselves are heard once, and what may concern the bot always`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        let bob = scene.arrives("bob", in: "#quiet")
        try await scene.registers(alice)
        for number in 0..<20 {
            scene.says(alice, "lunch \(number)?", in: "#quiet")
            scene.says(bob, "yes \(number)", in: "#quiet")
        }
        try await scene.settle()
        #expect(scene.link.overlookedCount == 38)
        scene.says(alice, "bot: one?", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        // And where the bot listens to all, it hears all.
        scene.says(alice, "two?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "three?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "lunch", in: "#quiet")
        // The password, alone.
        scene.says(alice, "correct-horse", in: "#quiet")
        try await scene.sees("-alice- It was the password of alice")
    }

    @Test(arguments: [Duration.seconds(60), .seconds(600), .seconds(12 * 3600)])
    func `a login lasts as long as its owner goes on talking, to whomever`(idle: Duration) async throws {
        let scene = try await Scene { $0.accounts.limits.sessionIdle = idle }
        let alice = scene.arrives("alice", in: "#quiet")
        try await scene.registers(alice)
        for _ in 0..<20 {
            scene.says(alice, "so she said", in: "#quiet")
            scene.says(alice, "and so on", in: "#quiet")
            try await scene.settle()
            scene.clock.advance(by: idle / 3)
        }
        #expect(scene.link.overlookedCount > 0)
        scene.says(alice, "bot: one?", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
    }

    @Test func `lines of one breath reach a question, also of somebody who was passed over before`() async throws {
        let scene = try await Scene { $0.gather = .seconds(1) }
        let alice = scene.arrives("alice", in: "#quiet")
        try await scene.registers(alice)
        scene.says(alice, "nothing to do with you", in: "#quiet")
        scene.says(alice, "nor this", in: "#quiet")
        try await scene.settle()
        #expect(scene.link.overlookedCount == 1)
        scene.api.answer(by: nil)
        scene.says(alice, "bot: one", in: "#quiet")
        scene.says(alice, "and two", in: "#quiet")
        scene.says(alice, "and three", in: "#quiet")
        #expect(await eventually { scene.questions.last?.hasSuffix("one\nand two\nand three") == true })
    }
}
