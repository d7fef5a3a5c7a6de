import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// When the API, the network or the store fails.
@Suite struct FailuresTests {
    @Test(
        "each failure of the API is one sentence to the asker and one line in the log",
        arguments: CompletionFailure.Kind.allCases)
    func failure(_ kind: CompletionFailure.Kind) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.failing(kind, partial: "half an"))
        scene.says(alice, "the-question", in: "#confab")
        let sentence = Phrases.failure(CompletionFailure(kind, detail: "", partial: "half an"))
        try await scene.sees("-alice- \(sentence)")
        #expect(try await scene.unread() == [])
        let logged = scene.memory.lines.filter { $0.contains("The API gave no answer") }
        #expect(logged.count == 1)
        #expect(logged[0].contains("account=alice") && logged[0].contains("kind=\(kind.rawValue) detail=scripted"))
        #expect(!scene.memory.lines.contains { $0.contains("the-question") })
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] A: half an")
        try await scene.sees("-alice- [1] (the answer broke off here)")
    }

    @Test func `after a failure the next question is asked`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.failing(.unavailable))
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("-alice- The AI is out of order or overloaded.")
        scene.api.answer(by: ScriptedCompletions.saying("Back again."))
        scene.says(alice, "two", in: "#confab")
        try await scene.sees("#confab <bot> alice: Back again.")
        #expect(scene.api.prompts[1].history == [])
    }

    @Test func `an answer that the network does not take is kept, and the asker told`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "one", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.link.refuse(.expired)
        scene.api.asked[0].answer("Too late.")
        #expect(await eventually { scene.memory.lines.contains { $0.contains("An answer was not delivered") } })
        scene.link.refuse(nil)
        let isMarked = try await eventually {
            try await scene.store.history(of: AccountID(1), last: 1).first?.state == .undelivered
        }
        #expect(isMarked)
        scene.says(alice, "HISTORY 1")
        try await scene.sees("-alice- [1] A: Too late.")
        try await scene.sees("-alice- [1] (this answer could not be said when it came)")
    }

    @Test func `a channel that refuses the bot's lines makes the answer undelivered, and that is said once`()
        async throws
    {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        for _ in 1...3 {
            scene.happens(.refused(.channel(scene.channel("#confab")), reason: "404 Cannot send to channel (+m)"))
        }
        try await scene.sees(
            "-alice- The answer to your question 1 could not be said there. It is kept: /msg bot MORE")
        #expect(try await scene.unread() == [])
    }

    @Test func `an answer that the network says it did not pass on is undelivered, and that is said once`()
        async throws
    {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        await scene.holdsAnswer(to: alice, "one", in: "#confab")
        scene.link.fail(.refused("Cannot send to channel (+m)"))
        scene.happens(.refused(.channel(scene.channel("#confab")), reason: "Cannot send to channel (+m)"))
        try await scene.sees(
            "-alice- The answer to your question 1 could not be said there. It is kept: /msg bot MORE")
        #expect(try await scene.store.history(of: AccountID(1), last: 1).map(\.state) == [.undelivered])
        #expect(try await scene.unread() == [])
        #expect(scene.memory.lines.contains { $0.contains("(+m)") })
    }

    @Test func `a refusal belongs to the answer that is just being said`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        await scene.holdsAnswer(to: alice, "one", in: "#confab")
        scene.says(bob, "two", in: "#confab")
        #expect(await eventually { scene.link.waitingCount == 2 })
        scene.happens(.refused(.channel(scene.channel("#confab")), reason: "404"))
        scene.happens(.refused(.channel(scene.channel("#confab")), reason: "404"))
        #expect(await eventually { scene.link.waitingCount == 3 })
        scene.link.flow()
        try await scene.sees("-alice- The answer to your question 1 could not be said there.")
        #expect(!(try await scene.unread()).contains { $0.hasPrefix("-bob-") })
    }

    @Test func `what cannot be stored is not asked, and the bot goes on`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        await scene.store.close()
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("-alice- I cannot keep records at the moment, so I did nothing.")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- I cannot keep records at the moment")
        let bob = scene.arrives("bob")
        scene.says(bob, "REGISTER correct-horse bob@example.org")
        try await scene.sees("-bob- I cannot keep records at the moment")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        #expect(scene.questions == [])
        #expect(scene.memory.lines.contains { $0.contains("The store failed") })
    }
}
