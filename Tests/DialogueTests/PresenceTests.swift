import Domain
import TestKit
import Testing

@testable import Dialogue

/// What the bot makes of where people are and what the network says of them.
@Suite struct PresenceTests {
    @Test func `a question among the operators is answered among them, with a conversation of its own`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "in public", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        let place = Place.ranks("@", scene.channel("#confab"))
        scene.happens(.message(Message(sender: alice, place: place, text: "between us")))
        try await scene.sees("@#confab <bot> alice: An answer.")
        scene.says(alice, "in public again", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        let last = try #require(scene.api.prompts.last)
        #expect(last.history.map(\.question) == ["in public"])
        scene.says(alice, "HISTORY 2")
        try await scene.settle()
        #expect(scene.link.transcript.contains { $0.hasPrefix("-alice- ") && $0.contains("@#confab") })
    }

    @Test func `whom the server calls a bot is not listened to, under any nick`() async throws {
        let scene = try await Scene()
        let robot = scene.arrives("robot")
        scene.happens(.seen(robot, isBot: true))
        scene.says(robot, "bot: hello there", in: "#confab")
        scene.happens(.renamed(robot, to: scene.nick("android")))
        scene.says(scene.person("android", at: "robot@robot.example"), "HELP")
        #expect(try await scene.unread() == [])
    }

    @Test func `a renamed channel keeps the rules of the name the operator configured`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice", in: "#quiet")
        try await scene.registers(alice)
        scene.happens(.channelRenamed(scene.channel("#quiet"), to: scene.channel("#silent")))
        scene.says(alice, "not for the bot", in: "#silent")
        scene.says(alice, "bot: for the bot", in: "#silent")
        try await scene.sees("#silent <bot> alice: An answer.")
        #expect(scene.questions == ["for the bot"])
    }

    @Test func `a conversation, a row of the same answers and a limit go on under a channel's new name`() async throws {
        let scene = try await Scene { settings in
            settings.maxRepeats = 2
            settings.channelBudget = BudgetLimits(questionsPerMinute: 3)
        }
        let answer = "An answer of so many words that a line which only says where to read it is shorter."
        scene.api.answer(by: ScriptedCompletions.saying(answer))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("#confab <bot> alice: \(answer)")
        scene.happens(.channelRenamed(scene.channel("#confab"), to: scene.channel("#parlour")))
        scene.happens(.channelRenamed(scene.channel("#parlour"), to: scene.channel("#salon")))
        scene.says(alice, "two", in: "#salon")
        try await scene.sees("#salon <bot> alice: \(answer)")
        #expect(scene.api.prompts.last?.history.map(\.question) == ["one"])
        scene.says(alice, "three", in: "#salon")
        try await scene.sees("#salon <bot> alice: The same answer as just before.")
        scene.says(alice, "four", in: "#salon")
        #expect(try await scene.sees("-alice- ").contains("from this channel"))
        scene.says(alice, "bot: new", in: "#salon")
        try await scene.sees("-alice- ")
        #expect(scene.questions == ["one", "two", "three"])
        // A channel that has the old name now is another one.
        scene.says(alice, "unheard", in: "#parlour")
        scene.clock.advance(by: .seconds(60))
        scene.says(alice, "five", in: "#salon")
        #expect(await eventually { scene.questions.last == "five" })
        #expect(scene.api.prompts.last?.history.isEmpty == true)
    }

    @Test func `a nick that the server cut to its own length is the bot's own, and takes passwords`() async throws {
        let scene = try await Scene { $0.ownNicks = ["confabulator"] }
        let alice = scene.arrives("alice")
        scene.happens(.ownNick(scene.nick("confabula")))
        try await scene.registers(alice)
        for other in ["confab", "confabulb", "Guest7"] {
            scene.happens(.ownNick(scene.nick(other)))
            scene.says(alice, "LOGIN correct-horse")
            let line = try await scene.sees("-alice- ")
            #expect(!line.contains("logged in as"), "\(other): \(line)")
        }
    }

    @Test func `the bot answers to the nick that it should have while nobody else is seen under it`() async throws {
        let scene = try await Scene { $0.ownNicks = ["bot"] }
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        try await scene.registers(alice)
        scene.happens(.ownNick(scene.nick("bot_")))
        scene.says(alice, "bot: one", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        scene.says(alice, "and two, bot?", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        scene.says(alice, "bot: whoami")
        try await scene.sees("-alice- You are logged in as alice")
        // Whoever has it is meant by it.
        let other = scene.arrives("bot", in: "#quiet")
        scene.says(alice, "bot: three", in: "#quiet")
        scene.says(alice, "and four, bot?", in: "#quiet")
        scene.says(alice, "bot_: five", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        scene.happens(.quit(other.nick))
        scene.says(alice, "bot: six", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
        #expect(scene.questions == ["one", "and two?", "five", "six"])
    }

    @Test func `a password behind the nick that the bot should have is one, also while somebody else has that`()
        async throws
    {
        let scene = try await Scene { $0.ownNicks = ["bot"] }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.happens(.ownNick(scene.nick("bot_")))
        _ = scene.arrives("bot")
        scene.says(alice, "bot login alice correct-horse", in: "#confab")
        try await scene.sees("-alice- That looked like a password")
        #expect(scene.questions.isEmpty)
    }

    @Test func `notices that wait are for nobody when a casemapping makes two people one`() async throws {
        let scene = try await Scene(mapping: .ascii)
        let alice = scene.arrives("alice")
        let twin = scene.arrives("al{ice", at: "twin@twin.example")
        try await scene.registers(alice)
        scene.happens(.renamed(alice, to: scene.nick("al[ice")))
        let renamed = scene.person("al[ice", at: alice.address)
        await scene.holdsAnswer(to: renamed, "WHOAMI")
        scene.says(renamed, "USAGE")
        scene.remap(.rfc1459)
        #expect(await eventually { scene.link.discarded.contains("al[ice") })
        scene.link.flow()
        let person = Person(nick: scene.nick("al{ice"), user: twin.user, host: twin.host)
        scene.says(person, "HISTORY")
        try await scene.sees("-al{ice- You are not logged in.")
        #expect(!scene.link.transcript.contains { $0.contains("questions") })
    }
}
