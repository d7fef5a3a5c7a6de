import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// NEW, STOP, RETRY and ASK.
@Suite struct ConversationTests {
    // MARK: NEW

    @Test func `NEW begins afresh in the place where it is said, also after a restart`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            for (text, channel) in [("one", "#confab"), ("two", nil)] {
                scene.says(alice, text, in: channel)
                try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") An answer.")
            }
            scene.says(alice, "bot: new", in: "#confab")
            try await scene.sees("-alice- A new conversation in #confab: the AI is not told what you asked before.")
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        for (text, channel) in [("three", "#confab"), ("four", "#confab"), ("five", nil)] {
            scene.says(alice, text, in: channel)
            try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") An answer.")
        }
        #expect(scene.api.prompts.map { $0.history.map(\.question) } == [[], ["three"], ["two"]])
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] Q: one")
    }

    @Test func `a question said in the same breath as NEW is of the new conversation`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "old", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        for round in 1...20 {
            scene.says(alice, "bot: NEW", in: "#confab")
            scene.says(alice, "question \(round)", in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
        }
        #expect(scene.api.prompts.dropFirst().allSatisfy { $0.history.isEmpty })
        #expect(scene.api.prompts.count == 21)
    }

    @Test func `a question that was under way at NEW is of the old conversation`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "old", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.says(alice, "bot: NEW", in: "#confab")
        try await scene.sees("-alice- A new conversation in #confab")
        scene.api.asked[0].answer("Old answer.")
        scene.says(alice, "new question", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 2 })
        #expect(scene.api.asked[1].prompt.history == [])
    }

    // MARK: STOP

    @Test func `STOP ends the transfer at once, keeps what came, and lets the next question go on`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "long one", in: "#confab")
        scene.says(bob, "his", in: "#confab")
        scene.says(alice, "next", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 2 })
        let running = try #require(scene.api.asked.first { $0.prompt.question == "long one" })
        running.stream.yield(.text("The first half"))
        scene.says(alice, "bot: stop", in: "#confab")
        try await scene.sees("-alice- Stopped. What came of the answer is kept: HISTORY 1 shows it.")
        #expect(await eventually { scene.api.cancelledCount == 1 && scene.questions.last == "next" })
        let exchange = try #require(await scene.store.exchange(number: 1, of: AccountID(1)))
        #expect(exchange.state == .interrupted)
        #expect(exchange.answer == "The first half")
        #expect(Phrases.state(exchange) == "(you stopped this answer)")
        scene.api.asked[2].answer("Next answer.")
        scene.api.asked.first { $0.prompt.question == "his" }?.answer("To bob.")
        try await scene.sees("#confab <bot> ")
        try await scene.sees("#confab <bot> ")
        #expect(scene.api.asked[2].prompt.history == [])
        // The asker knows, and is not told again at the next login.
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
        #expect(try await scene.unread() == [])
    }

    @Test func `STOP takes back what is still being said`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        await scene.holdsAnswer(to: alice, "one", in: "#confab")
        scene.says(alice, "STOP")
        // The notice that it is stopped waits in place of the answer.
        #expect(await eventually { scene.link.waiting == Phrases.stopping })
        scene.link.flow()
        try await scene.sees("-alice- Stopped.")
        #expect(!scene.link.transcript.contains { $0.hasPrefix("#confab <bot>") })
        let exchange = try await scene.store.history(of: AccountID(1), last: 1).first
        #expect(exchange?.state == .answered)
    }

    @Test func `STOP with nothing under way says so, and ends nobody else's`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "long one", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.says(bob, "bot: STOP", in: "#confab")
        try await scene.sees("-bob- You have no question under way")
        scene.api.asked[0].answer("Still here.")
        try await scene.sees("#confab <bot> alice: Still here.")
    }

    @Test func `STOP takes a waiting question where nothing of one's own runs`() async throws {
        let scene = try await Scene { $0.maxInFlight = 1 }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "first", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.says(bob, "waits", in: "#confab")
        scene.says(bob, "stop")
        try await scene.sees("-bob- Stopped.")
        scene.api.asked[0].answer("For alice.")
        try await scene.sees("#confab <bot> alice: For alice.")
        #expect(try await scene.unread() == [])
        #expect(scene.questions == ["first"])
        #expect(try await scene.store.history(of: AccountID(2), last: 1).map(\.state) == [.interrupted])
    }

    // MARK: RETRY

    @Test func `RETRY asks the last question of the place again, without its earlier answer`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for (text, channel) in [("one", "#confab"), ("two", "#confab"), ("private", nil)] {
            scene.says(alice, text, in: channel)
            try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") An answer.")
        }
        scene.api.answer(by: ScriptedCompletions.saying("Another answer."))
        for _ in 1...2 {
            scene.says(alice, "bot: retry", in: "#confab")
            try await scene.sees("#confab <bot> alice: Another answer.")
        }
        scene.says(alice, "three", in: "#confab")
        try await scene.sees("#confab <bot> alice: Another answer.")
        let prompts = scene.api.prompts
        #expect(prompts.map(\.question) == ["one", "two", "private", "two", "two", "three"])
        let one = Prompt.Turn(question: "one", answer: "An answer.")
        #expect(prompts[3].history == [one])
        #expect(prompts[4].history == [one])
        #expect(prompts[5].history == [one, Prompt.Turn(question: "two", answer: "Another answer.")])
    }

    @Test func `RETRY asks what failed, and says when there is nothing to ask again`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "RETRY")
        try await scene.sees("-alice- You have asked nothing in private yet.")
        scene.api.answer(by: ScriptedCompletions.failing(.unavailable))
        scene.says(alice, "why?")
        try await scene.sees("-alice- The AI is out of order")
        scene.api.answer(by: nil)
        scene.says(alice, "retry")
        #expect(await eventually { scene.questions == ["why?", "why?"] })
        scene.says(alice, "retry")
        try await scene.sees("-alice- Your last question is still being answered.")
        scene.api.asked[0].answer("Because.")
        try await scene.sees("alice <bot> Because.")
    }

    // MARK: ASK

    @Test(arguments: [
        ("ASK help", "help"), ("/ask stop", "stop"), ("bot: ASK history 5", "history 5"),
        ("ask me a riddle", "ask me a riddle"),
    ])
    func `ASK puts a question that looks like a command`(text: String, question: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, text)
        try await scene.sees("alice <bot> An answer.")
        #expect(scene.questions == [question])
    }

    @Test func `ASK asks everything but one's own password, and nothing for a stranger`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "ASK LOGIN hunter2")
        try await scene.sees("alice <bot> An answer.")
        scene.says(alice, "ASK whether correct-horse is a good one")
        try await scene.sees("-alice- Your password was in that line, so I did not pass it on or keep it.")
        for nothing in ["ASK", "\"ASK \u{200B}\""] {
            scene.says(alice, nothing)
            try await scene.sees("-alice- Ask what? /msg bot ASK <text>")
        }
        scene.says(scene.arrives("zoe"), "ASK why?")
        try await scene.sees("-zoe- You are not logged in.")
        #expect(scene.questions == ["LOGIN hunter2"])
    }
}
