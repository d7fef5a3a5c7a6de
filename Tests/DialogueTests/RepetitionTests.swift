import Domain
import TestKit
import Testing

@testable import Dialogue

/// The same answer again and again in one place.
@Suite struct RepetitionTests {
    private static let same = "The very same, word for word and to the last stop, however often it is asked for."

    @Test(arguments: ["Yes.", "An answer just as long as the line that would stand for it"])
    func `an answer no longer than the line that would stand for it is said every time`(answer: String) async throws {
        #expect(answer.utf8.count <= Phrases.sameAgain(1, Nick("bot", .ascii)).utf8.count)
        let scene = try await Scene { $0.maxRepeats = 2 }
        scene.api.answer(by: ScriptedCompletions.saying(answer))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for _ in 1...5 {
            scene.says(alice, "really?", in: "#confab")
            try await scene.sees("#confab <bot> alice: \(answer)")
        }
    }

    @Test func `the third time in a row there is a short line, and MORE has the answer`() async throws {
        let scene = try await Scene { $0.maxRepeats = 2 }
        scene.api.answer(by: ScriptedCompletions.saying(Self.same))
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        for person in [alice, bob] { try await scene.registers(person) }
        for (person, seen) in [
            (alice, Self.same), (bob, Self.same),
            (alice, "The same answer as just before. To see it: /msg bot MORE 2"),
            (bob, "The same answer as just before."),
        ] {
            scene.says(person, "what?", in: "#confab")
            try await scene.sees("#confab <bot> \(person.nick): \(seen)")
        }
        scene.says(alice, "MORE 2")
        try await scene.sees("-alice- [2] \(Self.same)")
        scene.says(alice, "what?")
        try await scene.sees("alice <bot> \(Self.same)")
        scene.api.answer(by: ScriptedCompletions.saying("Another."))
        scene.says(alice, "what?", in: "#confab")
        try await scene.sees("#confab <bot> alice: Another.")
        scene.api.answer(by: ScriptedCompletions.saying(Self.same))
        scene.says(alice, "what?", in: "#confab")
        try await scene.sees("#confab <bot> alice: \(Self.same)")
    }

    @Test func `after ten minutes it is news again`() async throws {
        let scene = try await Scene { $0.maxRepeats = 2 }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for _ in 1...3 {
            scene.says(alice, "what?", in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
            scene.clock.advance(by: .seconds(600))
        }
    }

    @Test func `an answer that comes in is held back while it is the same, and said when it is not`() async throws {
        let scene = try await Scene { settings in
            settings.maxRepeats = 2
            settings.channels[Scene.network]?[0].streaming = .sentences
        }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(
            by: ScriptedCompletions.saying("One sentence. And another one, of so many words that a pointer is shorter.")
        )
        let said = { @Sendable in scene.link.transcript.filter { $0.hasPrefix("#confab") } }
        for round in 1...2 {
            scene.says(alice, "what?", in: "#confab")
            #expect(await eventually { said().count { $0.hasSuffix("a pointer is shorter.") } == round })
        }
        try await scene.settle()
        let count = said().count
        scene.api.answer(by: nil)
        for (index, end) in ["nd another one, of so many words that a pointer is shorter.", "part from that."]
            .enumerated()
        {
            scene.says(alice, "what?", in: "#confab")
            #expect(await eventually { scene.api.asked.count == index + 1 })
            scene.api.asked[index].stream.yield(.text("One sentence. A"))
            try await scene.settle()
            #expect(said().count == count + index)
            scene.api.asked[index].stream.yield(.text(end))
            scene.api.asked[index].finish("One sentence. A" + end)
            let seen = index == 0 ? "The same answer as just before." : "One sentence. Apart from that."
            try await scene.sees("#confab <bot> alice: \(seen)")
        }
    }
}
