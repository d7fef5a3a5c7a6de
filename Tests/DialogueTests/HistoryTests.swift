import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct HistoryTests {
    @Test func `HISTORY shows as many as asked for, whole and oldest first`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- You have asked nothing yet.")
        scene.api.answer(by: ScriptedCompletions.saying("1. one\n2. two\n3. three\n4. four\n5. five"))
        for number in 1...7 {
            scene.says(alice, "question \(number)", in: "#confab")
            try await scene.sees("#confab <bot> … 2 more")
        }
        scene.says(alice, "history 2")
        try await scene.sees("-alice- Your last 2 exchanges, oldest first:")
        try await scene.sees("-alice- [6] Q: question 6")
        try await scene.sees("-alice- [6]    5. five")
        try await scene.sees("-alice- [7] Q: question 7")
        try await scene.sees("-alice- [7]    5. five")
        try await scene.sees("-alice- End of history.")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- Your last 5 exchanges, oldest first:")
        try await scene.sees("-alice- End of history.")
        scene.says(alice, "/history 51")
        try await scene.sees("-alice- HISTORY takes a number from 1 to 50")
        scene.says(alice, "HISTORY 0")
        try await scene.sees("-alice- HISTORY takes a number from 1 to 50")
    }

    @Test func `a question of more lines than may wait for one person is shown whole`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, (1...900).map { "line \($0)" }.joined(separator: "\n"), in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] Q: line 1")
        try await scene.sees("-alice- [1]    line 900")
        try await scene.sees("-alice- [1] A: An answer.")
        try await scene.sees("-alice- End of history.")
        #expect(scene.link.transcript.count { $0.contains("line ") } == 900)
    }

    @Test func `a later HISTORY takes the place of one that is still being said`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in 1...3 {
            scene.says(alice, "question \(number)", in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
        }
        await scene.holdsAnswer(to: alice, "HISTORY 3")
        scene.says(alice, "HISTORY 1")
        #expect(await eventually { scene.link.waiting == ["Your last exchange:"] })
        scene.link.flow()
        try await scene.sees("-alice- Your last exchange:")
        try await scene.sees("-alice- End of history.")
        #expect(scene.link.transcript.count { $0.hasPrefix("-alice- [") } == 3)
    }

    @Test func `STOP, or another command, ends HISTORY and takes back what waits of it`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in 1...3 {
            scene.says(alice, "question \(number)", in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
        }
        await scene.holdsAnswer(to: alice, "HISTORY")
        scene.says(alice, "STOP")
        #expect(await eventually { scene.link.waiting == Phrases.historyStopped })
        scene.link.flow()
        try await scene.sees("-alice- Stopped reading back.")
        await scene.holdsAnswer(to: alice, "HISTORY")
        scene.says(alice, "WHOAMI")
        #expect(
            await eventually {
                scene.link.waitingCount == 1 && scene.link.waiting[0].hasPrefix("You are logged in as alice")
            })
        scene.link.flow()
        try await scene.settle()
        #expect(!scene.link.transcript.contains { $0.hasPrefix("-alice- [") })
    }

    @Test func `everyone else is answered while a long HISTORY waits on the network`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        await scene.holdsAnswer(to: alice, "HISTORY")
        scene.says(bob, "quick question", in: "#confab")
        #expect(await eventually { scene.link.waitingCount == 2 })
        scene.link.flow()
        try await scene.sees("#confab <bot> bob: An answer.")
    }
}
