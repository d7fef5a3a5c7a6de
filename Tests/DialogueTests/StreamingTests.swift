import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Answers that are said sentence by sentence while they come in.
@Suite struct StreamingTests {
    private func scene(scratch: Scratch? = nil, maxLines: Int = 5) async throws -> (Scene, Person) {
        let scene = try await Scene(scratch: scratch) { settings in
            settings.channels[Scene.network]?[0].streaming = .sentences
            settings.channels[Scene.network]?[0].maxLines = maxLines
        }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        return (scene, alice)
    }

    private func said(_ scene: Scene) -> [String] {
        scene.link.transcript.filter { $0.hasPrefix("#confab <bot>") }.map {
            String($0.dropFirst("#confab <bot> ".count).replacing("alice: ", with: ""))
        }
    }

    @Test func `each sentence is said when the next begins, and all of it once`() async throws {
        let (scene, _) = try await scene()
        let stream = scene.api.asked[0].stream
        stream.yield(.text("First **bold** one. Sec"))
        try await scene.sees("#confab <bot> alice: First bold one.")
        let stored = try await scene.store.history(of: AccountID(1), last: 1).first
        #expect(stored?.state == .pending)
        #expect(stored?.answer?.hasPrefix("First **bold** one.") == true)
        stream.yield(.text("ond one.\n\n- an item\n- ano"))
        try await scene.sees("#confab <bot> Second one.")
        try await scene.sees("#confab <bot> - an item")
        stream.yield(.text("ther"))
        scene.api.asked[0].finish("First **bold** one. Second one.\n\n- an item\n- another")
        try await scene.sees("#confab <bot> - another")
        #expect(said(scene) == ["First bold one.", "Second one.", "- an item", "- another"])
        #expect(try await eventually { try await scene.store.unread(of: AccountID(1)) == nil })
    }

    @Test func `an answer of one sentence is said when it is over`() async throws {
        let (scene, _) = try await scene()
        scene.api.asked[0].stream.yield(.text("42"))
        scene.api.asked[0].finish("42")
        try await scene.sees("#confab <bot> alice: 42")
        #expect(said(scene) == ["42"])
    }

    @Test func `lines are limited over all pieces, and MORE goes on behind them`() async throws {
        let (scene, alice) = try await scene(maxLines: 2)
        let list = (1...5).map { "- item \($0)" }.joined(separator: "\n")
        for line in list.split(separator: "\n") { scene.api.asked[0].stream.yield(.text(line + "\n")) }
        try await scene.sees("#confab <bot> - item 2")
        scene.api.asked[0].finish(list)
        try await scene.sees("#confab <bot> … 3 more: /msg bot MORE")
        scene.says(alice, "MORE")
        for number in 3...5 { try await scene.sees("-alice- [1] - item \(number)") }
        #expect(said(scene).count == 3)
    }

    @Test func `a crash in the middle says nothing twice, and what was said is in the store`() async throws {
        let scratch = try Scratch()
        do {
            let (scene, _) = try await scene(scratch: scratch)
            scene.api.asked[0].stream.yield(.text("First one. Second one. Thi"))
            try await scene.sees("#confab <bot> alice: First one.")
            await scene.store.close()
        }
        let scene = try await Scene(scratch: scratch)
        #expect(try await scene.store.settleLeftovers().unfinished == 1)
        let exchange = try await scene.store.history(of: AccountID(1), last: 1).first
        #expect(exchange?.state == .interrupted)
        #expect(exchange?.answer?.hasPrefix("First one.") == true)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        scene.says(alice, "MORE")
        try await scene.settle()
        #expect(!scene.link.transcript.contains { $0.contains("First one.") })
    }

    @Test func `when it breaks off, what came is kept and the rest is not made up`() async throws {
        let (scene, alice) = try await scene()
        scene.api.asked[0].stream.yield(.text("First one. Second"))
        try await scene.sees("#confab <bot> alice: First one.")
        scene.api.asked[0].stream.yield(
            .failed(CompletionFailure(.interrupted, detail: "reset", partial: "First one. Second")))
        scene.api.asked[0].stream.finish()
        try await scene.sees("-alice- The connection to the AI broke in the middle of the answer.")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] Second")
        #expect(said(scene) == ["First one."])
    }

    @Test func `STOP ends it between two sentences`() async throws {
        let (scene, alice) = try await scene()
        scene.api.asked[0].stream.yield(.text("First one. Second"))
        try await scene.sees("#confab <bot> alice: First one.")
        scene.says(alice, "bot: stop", in: "#confab")
        try await scene.sees("-alice- Stopped.")
        #expect(await eventually { scene.api.cancelledCount == 1 })
        #expect(said(scene) == ["First one."])
        #expect(
            try await eventually {
                try await scene.store.history(of: AccountID(1), last: 1).first?.state == .interrupted
            })
    }

    @Test func `a channel that refuses a piece gets no further one, and MORE gives it`() async throws {
        let (scene, alice) = try await scene()
        scene.link.refuse(.overloaded)
        scene.api.asked[0].stream.yield(.text("First one. Second"))
        #expect(await eventually { scene.memory.lines.contains { $0.contains("not delivered") } })
        scene.link.refuse(nil)
        scene.api.asked[0].finish("First one. Second one.")
        try await scene.sees("-alice- The answer to your question 1 could not be said there.")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] First one. Second one.")
        #expect(said(scene) == [])
    }

    @Test func `thoughts are not said`() async throws {
        let (scene, _) = try await scene()
        for piece in ["<thi", "nk>Let me see. Yes. ", "Good.</think>\n\n", "It is so. An", "d more."] {
            scene.api.asked[0].stream.yield(.text(piece))
        }
        scene.api.asked[0].finish("<think>Let me see. Yes. Good.</think>\n\nIt is so. And more.")
        try await scene.sees("#confab <bot> And more.")
        #expect(said(scene).joined(separator: " ") == "It is so. And more.")
    }

    @Test func `who waits long is told once that the answer is awaited`() async throws {
        let scene = try await Scene { $0.thinkingAfter = .seconds(20) }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        #expect(await eventually { scene.clock.sleeperCount == 1 })
        scene.clock.advance(by: .seconds(20))
        try await scene.sees("-alice- Your question takes the AI a while.")
        scene.api.asked[0].answer("Because.")
        try await scene.sees("#confab <bot> alice: Because.")
        #expect(scene.clock.sleeperCount == 0)
    }

    @Test func `where clients can show it the bot is seen typing, for as long as the answer is awaited`() async throws {
        let scene = try await Scene { $0.thinkingAfter = .seconds(20) }
        scene.link.carryTyping()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        for wait in [20, 5, 5] {
            #expect(await eventually { scene.clock.sleeperCount == 1 })
            scene.clock.advance(by: .seconds(wait))
            try await scene.sees("#confab (bot is typing)")
        }
        scene.api.asked[0].answer("Because.")
        try await scene.sees("#confab <bot> alice: Because.")
        scene.clock.advance(by: .seconds(5))
        #expect(await eventually { scene.clock.sleeperCount == 0 })
        #expect(try await scene.unread() == [])
    }
}
