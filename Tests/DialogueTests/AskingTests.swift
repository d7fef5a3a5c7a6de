import Domain
import TestKit
import Testing

@testable import Dialogue

/// Questions and answers.
@Suite struct AskingTests {
    // MARK: What is a question

    @Test func `in a channel that listens to all, every line of someone logged in is a question`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        scene.says(alice, "bob: look at this", in: "#confab")
        scene.says(alice, "!seen carol", in: "#confab")
        scene.says(bob, "what is this?", in: "#confab")
        scene.says(alice, "why is the sky blue?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "Bot, and at dusk?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["why is the sky blue?", "and at dusk?"])
    }

    @Test func `in a channel that listens to its name, only addressed lines are questions`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice", in: "#quiet")
        try await scene.registers(alice)
        scene.says(alice, "the bots are out again", in: "#quiet")
        scene.says(alice, "BOT: why?", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        #expect(scene.questions == ["why?"])
    }

    @Test func `in a channel that is not configured nothing is a question`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.happens(.entered(scene.channel("#foreign")))
        scene.happens(.joined(alice, scene.channel("#foreign")))
        scene.says(alice, "bot: hello?", in: "#foreign")
        #expect(try await scene.unread() == [])
        #expect(scene.questions == [])
    }

    @Test func `an action is text that shows who acts`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let place = Place.channel(scene.channel("#confab"))
        scene.happens(.message(Message(sender: alice, place: place, text: "waves", isAction: true)))
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["* alice waves"])
    }

    @Test func `a stranger who addresses the bot is told how to start, and again after five minutes`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        for _ in 1...3 { scene.says(alice, "bot: hello?", in: "#confab") }
        scene.says(alice, "hello in private?")
        try await scene.sees(
            "-alice- I answer people who are logged in. If you have an account: /msg bot LOGIN <password>")
        try await scene.sees("-alice- If you have none yet: /msg bot REGISTER <password> <e-mail>")
        #expect(try await scene.unread() == [])
        // Coming again a moment later is no reason to be told again.
        scene.happens(.quit(alice.nick))
        scene.happens(.joined(alice, scene.channel("#confab")))
        scene.says(alice, "bot: hello?", in: "#confab")
        #expect(try await scene.unread() == [])
        scene.clock.advance(by: .seconds(300))
        scene.says(alice, "bot: hello?", in: "#confab")
        try await scene.sees("-alice- I answer people who are logged in.")
        scene.clock.advance(by: .seconds(300))
        scene.says(alice, "bot: and now?", in: "#confab")
        try await scene.sees("-alice- I answer people who are logged in.")
        #expect(scene.questions == [])
    }

    @Test func `someone who shares no channel is told to join one`() async throws {
        let scene = try await Scene()
        scene.says(scene.person("zoe"), "hello?")
        try await scene.sees("-zoe- First join a channel where I am")
    }

    // MARK: The prompt

    @Test func `the prompt is the operator's instruction and the account's own conversation in that place`()
        async throws
    {
        let scene = try await Scene { settings in
            settings.channels[Scene.network]?.append(
                ChannelRules(name: "#pirates", systemPrompt: "Talk like a pirate.", model: "parrot"))
        }
        scene.happens(.entered(scene.channel("#pirates")))
        let alice = scene.arrives("alice", in: "#confab", "#pirates")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        for (person, text, channel) in [
            (alice, "one", "#confab"), (bob, "bob's", "#confab"), (alice, "two", "#confab"),
            (alice, "three", "#pirates"),
        ] {
            scene.says(person, text, in: channel)
            try await scene.sees("\(channel) <bot> \(person.nick): An answer.")
        }
        scene.says(alice, "four")
        try await scene.sees("alice <bot> An answer.")
        let prompts = scene.api.prompts
        #expect(prompts[2].system == "Be brief.")
        #expect(prompts[2].history == [Prompt.Turn(question: "one", answer: "An answer.")])
        #expect(prompts[2].model == nil)
        #expect(prompts[1].history == [])
        #expect(prompts[3] == Prompt(system: "Talk like a pirate.", history: [], question: "three", model: "parrot"))
        #expect(prompts[4].history == [])
    }

    @Test func `a long conversation is trimmed to what the model takes`() async throws {
        let scene = try await Scene { settings in
            settings.contextTokens = 300
            settings.maxTokens = 100
        }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying(String(repeating: "word ", count: 60)))
        for number in 1...6 {
            scene.says(alice, "question \(number)", in: "#confab")
            try await scene.sees("#confab <bot> alice: word")
        }
        #expect(scene.api.prompts.last?.history.map(\.question) == ["question 4", "question 5"])
    }

    // MARK: The answer

    @Test func `an answer is plain lines, at most the configured number, and says where the rest is`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(
            by: ScriptedCompletions.saying(
                "<think>hm, a list</think>\n\n1. one\n2. two\n\n\n3. three\n4. four\n5. five"))
        scene.says(alice, "count", in: "#confab")
        try await scene.sees("#confab <bot> alice: 1. one")
        try await scene.sees("#confab <bot> 2. two")
        try await scene.sees("#confab <bot> 3. three")
        try await scene.sees("#confab <bot> … 2 more: /msg bot MORE")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] 4. four")
        try await scene.sees("-alice- [1] 5. five")
        #expect(!scene.link.transcript.contains { $0.contains("think") })
    }

    @Test func `an answer of nothing visible says so, and one that was cut too`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying("[\u{200B}](#top)"))
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("#confab <bot> alice: The answer has nothing in it that can be shown here.")
        scene.api.answer(by: ScriptedCompletions.saying("Once upon a", isCut: true))
        scene.says(alice, "two", in: "#confab")
        try await scene.sees("#confab <bot> alice: Once upon a")
        try await scene.sees("#confab <bot> [The answer ends here: it reached its length limit.]")
        scene.api.answer(by: ScriptedCompletions.saying("<think>what to say?"))
        scene.says(alice, "three", in: "#confab")
        try await scene.sees("-alice- The AI gave an empty answer.")
    }

    @Test func `an answer goes to whom it is for, under the nick they have by then`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "in private")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.happens(.renamed(alice, to: scene.nick("alicia")))
        try await scene.settle()
        scene.api.asked[0].answer("For you.")
        try await scene.sees("alicia <bot> For you.")
        #expect(scene.link.discarded.contains("alice"))
    }

    @Test func `when the asker has gone, the channel still hears the answer and a stranger in private does not`()
        async throws
    {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "in the channel", in: "#confab")
        scene.says(bob, "in private")
        #expect(await eventually { scene.api.asked.count == 2 })
        for person in [alice, bob] { scene.happens(.quit(person.nick)) }
        _ = scene.arrives("bob")
        try await scene.settle()
        for asked in scene.api.asked { asked.answer("Answer to \(asked.prompt.question).") }
        try await scene.sees("#confab <bot> alice: Answer to in the channel.")
        #expect(try await scene.unread() == [])
        try await scene.logsIn(scene.arrives("bob", at: "bob@new"))
        scene.says(scene.person("bob", at: "bob@new"), "HISTORY")
        try await scene.sees("-bob- [1] A: Answer to in private.")
        try await scene.sees("-bob- [1] (this answer could not be said when it came)")
    }

    @Test func `two people are answered at once, and one person in two places one after the other`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "one", in: "#confab")
        scene.says(alice, "bot: two", in: "#quiet")
        scene.says(bob, "three", in: "#confab")
        #expect(await eventually { scene.questions == ["one", "three"] || scene.questions == ["three", "one"] })
        scene.api.asked.first { $0.prompt.question == "three" }?.answer("to bob")
        try await scene.sees("#confab <bot> bob: to bob")
        scene.api.asked.first { $0.prompt.question == "one" }?.answer("to alice")
        try await scene.sees("#confab <bot> alice: to alice")
        #expect(await eventually { scene.api.asked.count == 3 })
        scene.api.asked[2].answer("there")
        try await scene.sees("#quiet <bot> alice: there")
    }

    @Test func `questions of one person are numbered in the order they were asked`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in 1...4 { scene.says(alice, "question \(number)", in: "#confab") }
        for _ in 1...4 { try await scene.sees("#confab <bot> alice: An answer.") }
        scene.says(alice, "HISTORY")
        for number in 1...4 { try await scene.sees("-alice- [\(number)] Q: question \(number)") }
    }

    @Test func `a fifth question at once is refused, and that is said once a minute`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in 1...9 { scene.says(alice, "question \(number)", in: "#confab") }
        try await scene.sees("-alice- You have 3 questions waiting already. I did not take this one")
        #expect(try await scene.unread() == [])
        scene.clock.advance(by: .seconds(60))
        scene.says(alice, "question 10", in: "#confab")
        try await scene.sees("-alice- You have 3 questions waiting already.")
        for number in 0...3 {
            #expect(await eventually { scene.api.asked.count == number + 1 })
            scene.api.asked[number].answer("yes")
            try await scene.sees("#confab <bot> alice: yes")
        }
        #expect(scene.questions == ["question 1", "question 2", "question 3", "question 4"])
    }
}
