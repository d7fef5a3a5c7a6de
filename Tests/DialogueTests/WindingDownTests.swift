import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// How the bot stops, and what people find afterwards.
@Suite struct WindingDownTests {
    @Test func `running answers get the grace, waiting questions are kept, new ones refused`() async throws {
        let scene = try await Scene { $0.maxInFlight = 1 }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "running", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.says(bob, "waiting", in: "#confab")
        try await scene.settle()
        let ending = Task { await scene.bot.wind(down: .seconds(5)) }
        try await scene.sees("-bob- I was stopped before your question was answered.")
        scene.says(bob, "late", in: "#confab")
        try await scene.sees("-bob- I am about to stop. I did not take your question")
        scene.api.asked[0].answer("Just in time.")
        try await scene.sees("#confab <bot> alice: Just in time.")
        await ending.value
        #expect(scene.questions == ["running"])
        #expect(try await scene.store.history(of: AccountID(2), last: 9).map(\.state) == [.interrupted])
    }

    @Test func `after the grace what runs is cut off, and what came of it kept`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "long one", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text("The first half"))
        let ending = Task { await scene.bot.wind(down: .seconds(5)) }
        #expect(await eventually { scene.clock.sleeperCount == 1 })
        scene.clock.advance(by: .seconds(5))
        await ending.value
        let exchange = try #require(await scene.store.history(of: AccountID(1), last: 1).first)
        #expect(exchange.state == .interrupted)
        #expect(exchange.answer == "The first half")
        #expect(await eventually { scene.api.cancelledCount == 1 })
    }

    @Test func `an answer that is still being said does not hold up the end`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        await scene.holdsAnswer(to: alice, "one", in: "#confab")
        let ending = Task { await scene.bot.wind(down: .seconds(5)) }
        #expect(await eventually { scene.clock.sleeperCount == 1 })
        scene.clock.advance(by: .seconds(5))
        await ending.value
        #expect(try await scene.store.history(of: AccountID(1), last: 1).first?.state == .answered)
    }

    @Test func `after a crash people are told once, at the next login, what was interrupted`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            scene.api.answer(by: nil)
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            scene.says(alice, "lost?", in: "#confab")
            #expect(await eventually { scene.api.asked.count == 1 })
            await scene.store.close()
        }
        let scene = try await Scene(scratch: scratch)
        #expect(try await scene.store.settleLeftovers().unfinished == 1)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        try await scene.sees(
            "-alice- I was stopped before I could answer your question 1 of 2026-09-21 14:13 UTC, in #confab.")
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
        #expect(try await scene.unread() == [])
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] (I was stopped before the answer was complete)")
        #expect(scene.questions == [])
    }
}
