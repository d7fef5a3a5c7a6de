import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct LoopGuardTests {
    /// How many questions are taken of somebody who asks again so long after each answer.
    private func taken(after gap: Duration, of most: Int = 6, upTo limit: Int = 200) -> Int {
        var loop = LoopGuard()
        var now = Duration.zero
        for number in 0..<limit {
            guard loop.isAsked(at: now, most: most) == .goesOn else { return number }
            loop.isAnswered(at: now)
            now += gap
        }
        return limit
    }

    @Test func `a machine is stopped after a few turns, a steady one after more, a person never`() {
        #expect(taken(after: .milliseconds(300)) == 7)
        #expect(taken(after: .seconds(10)) == 19)
        #expect(taken(after: .seconds(21)) == 200)
        #expect(taken(after: .milliseconds(300), of: 2) == 3)
    }

    @Test func `one breath breaks the row`() {
        var loop = LoopGuard()
        var now = Duration.zero
        for number in 0..<100 {
            #expect(loop.isAsked(at: now, most: 6) == .goesOn)
            loop.isAnswered(at: now)
            now += number % 6 == 5 ? .seconds(25) : .seconds(1)
        }
    }

    @Test func `the pause lasts a minute, whatever is said in it`() {
        var loop = LoopGuard()
        for _ in 0...6 {
            #expect(loop.isAsked(at: .zero, most: 6) == .goesOn)
            loop.isAnswered(at: .zero)
        }
        #expect(loop.isAsked(at: .zero, most: 6) == .pauses)
        #expect(loop.isAsked(at: .seconds(59), most: 6) == .isPaused)
        #expect(loop.isAsked(at: .seconds(60), most: 6) == .goesOn)
    }

    @Test func `questions typed ahead are no replies`() {
        var loop = LoopGuard()
        for _ in 0..<100 { #expect(loop.isAsked(at: .zero, most: 6) == .goesOn) }
    }

    @Test func `two bots that talk to each other stop, with one notice, and others are answered meanwhile`()
        async throws
    {
        let scene = try await Scene { $0.quickReplies = 6 }
        let robot = scene.arrives("robot")
        let alice = scene.arrives("alice")
        for person in [robot, alice] { try await scene.registers(person) }
        for turn in 0..<7 {
            scene.says(robot, "bot: reply \(turn)", in: "#confab")
            try await scene.sees("#confab <bot> robot: An answer.")
            // An answer is seen a moment before the bot knows that it was said.
            try await scene.settle()
        }
        scene.says(robot, "bot: reply 7", in: "#confab")
        try await scene.sees("-robot- You reply as fast as a bot would, so I take no question of yours for a minute.")
        for turn in 8..<20 { scene.says(robot, "bot: reply \(turn)", in: "#confab") }
        scene.says(alice, "bot: and I?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(try await scene.unread() == [])
        scene.clock.advance(by: .seconds(60))
        scene.says(robot, "bot: I waited", in: "#confab")
        try await scene.sees("#confab <bot> robot: An answer.")
        #expect(scene.questions.filter { $0.hasPrefix("reply") }.count == 7)
    }
}
