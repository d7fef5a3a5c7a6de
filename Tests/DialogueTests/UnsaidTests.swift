import Domain
import FoundationEssentials
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Answers that are stored and still wait to be said when the process is killed.
@Suite struct UnsaidTests {
    /// The bot on a copy of what another one has stored by now, as if that had been killed.
    private func afterKill(
        of scene: Scene, _ change: (inout DialogueSettings) -> Void = { _ in }
    ) async throws -> Scene {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.file("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in ["confab.sqlite", "confab.sqlite-wal"] {
            try FileManager.default.copyItem(
                atPath: scene.scratch.file("state/\(name)"), toPath: scratch.file("state/\(name)"))
        }
        let next = try await Scene(scratch: scratch, change)
        _ = try await next.store.settleLeftovers()
        return next
    }

    @Test func `are told at the next login, and each is given by MORE once`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "before")
        try await scene.sees("alice <bot> ")
        scene.link.hold()
        scene.says(alice, "why?", in: "#confab")
        scene.says(bob, "how?")
        #expect(await eventually { scene.link.waitingCount == 2 })
        let next = try await afterKill(of: scene)
        for name in ["alice", "bob"] {
            let person = next.arrives(name)
            try await next.logsIn(person)
            try await next.sees("-\(name)- An answer of yours could not be said when it came: /msg bot MORE")
            next.says(person, "MORE")
            try await next.sees("-\(name)- [\(name == "alice" ? 2 : 1)] An answer.")
            next.says(person, "MORE")
            try await next.sees("-\(name)- You have got all of your answers.")
        }
        // What was said is not told again.
        scene.link.flow()
        try await scene.sees("#confab <bot> alice: An answer.")
        try await scene.settle()
        let last = try await afterKill(of: scene)
        try await last.logsIn(last.arrives("alice"))
        #expect(try await last.unread() == [])
    }

    @Test func `a page that MORE was about to give is given again`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: ScriptedCompletions.saying((1...5).map { "\($0). line" }.joined(separator: "\n\n")))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        try await scene.sees("#confab <bot> … 2 more: /msg bot MORE")
        await scene.holdsAnswer(to: alice, "MORE")
        let next = try await afterKill(of: scene)
        let again = next.arrives("alice")
        try await next.logsIn(again)
        next.says(again, "MORE")
        for number in 4...5 { try await next.sees("-alice- [1] \(number). line") }
        #expect(try await next.unread() == [])
    }

    @Test func `a sentence of an answer that came in is given by MORE, and what was said before it is not`()
        async throws
    {
        let stream: (inout DialogueSettings) -> Void = { $0.channels[Scene.network]?[0].streaming = .sentences }
        let scene = try await Scene(stream)
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text("First one. Sec"))
        try await scene.sees("#confab <bot> alice: First one.")
        scene.link.hold()
        scene.api.asked[0].stream.yield(.text("ond one. Third"))
        #expect(await eventually { scene.link.waitingCount == 1 })
        let next = try await afterKill(of: scene, stream)
        let again = next.arrives("alice")
        try await next.logsIn(again)
        try await next.sees("-alice- I was stopped before I could answer your question 1")
        next.says(again, "MORE")
        try await next.sees("-alice- [1] Second one.")
        #expect(!next.link.transcript.contains { $0.contains("First one.") })
    }

    @Test func `what was stopped by its asker is not told`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        await scene.holdsAnswer(to: alice, "why?", in: "#confab")
        scene.says(alice, "STOP")
        #expect(
            await eventually { scene.link.waiting == ["Stopped. What came of the answer is kept: HISTORY 1 shows it."] }
        )
        let next = try await afterKill(of: scene)
        try await next.logsIn(next.arrives("alice"))
        #expect(try await next.unread() == [])
    }
}
