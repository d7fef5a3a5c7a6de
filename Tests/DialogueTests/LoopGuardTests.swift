import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct LoopGuardTests {
    /// How many questions are taken of somebody who asks again so long after each answer.
    private func taken(
        _ length: Int, after gaps: [Duration], of most: Int = 6, upTo limit: Int = 200
    ) -> Int {
        var loop = LoopGuard()
        var now = Duration.zero
        for number in 0..<limit {
            guard loop.takeQuestion(length: length, at: now, most: most) == .goesOn else { return number }
            loop.takeAnswer(at: now)
            now += gaps[number % gaps.count]
        }
        return limit
    }

    @Test func `a machine that writes whole sentences at once is stopped after a few turns`() {
        #expect(taken(200, after: [.milliseconds(300)]) == 7)
        #expect(taken(200, after: [.seconds(4), .seconds(2)]) == 7)
        #expect(taken(200, after: [.milliseconds(300)], of: 2) == 3)
    }

    @Test func `a person's quick short turns are taken, and a machine's end after many`() {
        #expect(taken(8, after: [.milliseconds(700), .milliseconds(1300), .milliseconds(400)], upTo: 30) == 30)
        #expect(taken(8, after: [.milliseconds(300)]) == 37)
        #expect(taken(40, after: [.seconds(10)]) == 37)
    }

    @Test func `a lively person is taken for long, a machine that never pauses not for ever`() {
        let lively: [Duration] = [.seconds(5), .seconds(12), .seconds(8), .seconds(17)]
        #expect((70...80).contains(taken(60, after: lively)))
        #expect(taken(60, after: lively + [.seconds(21)]) == 200)
        #expect(taken(400, after: [.seconds(21)]) == 200)
    }

    @Test func `one breath breaks the row`() {
        var loop = LoopGuard()
        var now = Duration.zero
        for number in 0..<100 {
            #expect(loop.takeQuestion(length: 300, at: now, most: 6) == .goesOn)
            loop.takeAnswer(at: now)
            now += number % 6 == 5 ? .seconds(25) : .seconds(1)
        }
    }

    @Test func `the pause lasts a minute, whatever is said in it`() {
        var loop = LoopGuard()
        for _ in 0...6 {
            #expect(loop.takeQuestion(length: 100, at: .zero, most: 6) == .goesOn)
            loop.takeAnswer(at: .zero)
        }
        #expect(loop.takeQuestion(length: 1, at: .zero, most: 6) == .pauses)
        #expect(loop.takeQuestion(length: 1, at: .seconds(59), most: 6) == .isPaused)
        #expect(loop.takeQuestion(length: 1, at: .seconds(60), most: 6) == .goesOn)
    }

    @Test func `questions typed ahead are no replies`() {
        var loop = LoopGuard()
        for _ in 0..<100 { #expect(loop.takeQuestion(length: 300, at: .zero, most: 6) == .goesOn) }
    }

    private static let essay =
        "I see your point, and yet there is so much more to be said about this matter, is there not?"

    @Test func `two bots that talk to each other stop, with one notice, and others are answered meanwhile`()
        async throws
    {
        let scene = try await Scene { $0.quickReplies = 6 }
        let robot = scene.arrives("robot")
        let alice = scene.arrives("alice")
        for person in [robot, alice] { try await scene.registers(person) }
        for _ in 0..<7 {
            scene.says(robot, "bot: \(Self.essay)", in: "#confab")
            try await scene.sees("#confab <bot> robot: An answer.")
            // An answer is seen a moment before the bot knows that it was said.
            try await scene.settle()
        }
        scene.says(robot, "bot: \(Self.essay)", in: "#confab")
        try await scene.sees("-robot- You reply as fast as a bot would, so I take no question of yours for a minute.")
        for _ in 8..<20 { scene.says(robot, "bot: \(Self.essay)", in: "#confab") }
        scene.says(alice, "bot: and I?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(try await scene.unread() == [])
        scene.clock.advance(by: .seconds(60))
        scene.says(robot, "bot: I waited", in: "#confab")
        try await scene.sees("#confab <bot> robot: An answer.")
        #expect(scene.questions.count { $0 == Self.essay } == 7)
    }

    @Test func `twenty quick short turns of a person are answered`() async throws {
        let scene = try await Scene { $0.quickReplies = 6 }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for turn in 1...20 {
            scene.says(alice, ["why?", "and then", "no, the other one", "ok"][turn % 4], in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
            try await scene.settle()
            scene.clock.advance(by: .milliseconds(400 + 137 * turn % 900))
        }
        #expect(scene.questions.count == 20)
    }
}
