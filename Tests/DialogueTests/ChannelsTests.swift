import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// QUIET, RESUME and greetings.
@Suite struct ChannelsTests {
    /// Somebody in the channel who operates it.
    private func `operator`(_ name: String, of channel: String = "#confab", in scene: Scene) -> Person {
        let person = scene.arrives(name, in: channel)
        scene.happens(.ranked(person.nick, scene.channel(channel), rank: "o", isHeld: true))
        return person
    }

    @Test func `an operator of the channel silences the bot there, also across a restart, until RESUME`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice", in: "#confab", "#quiet")
            let opal = `operator`("opal", in: scene)
            try await scene.registers(alice)
            scene.says(opal, "bot: quiet", in: "#confab")
            try await scene.sees("-opal- I am silent in #confab from now on, until an operator says there: bot: RESUME")
            scene.says(alice, "unheard", in: "#confab")
            scene.says(alice, "bot: HELP", in: "#confab")
            scene.says(alice, "bot: heard elsewhere", in: "#quiet")
            try await scene.sees("#quiet <bot> alice: An answer.")
            #expect(try await scene.unread() == [])
            #expect(try await scene.store.auditRecords(last: 1).map(\.action) == ["QUIET"])
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        scene.says(alice, "still unheard", in: "#confab")
        scene.says(alice, "bot: resume", in: "#confab")
        try await scene.sees("-alice- Only operators of #confab can tell me that")
        let opal = `operator`("opal", in: scene)
        scene.says(opal, "RESUME #CONFAB")
        try await scene.sees("-opal- I answer in #CONFAB again.")
        scene.says(alice, "heard", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["heard"])
    }

    @Test func `a silenced channel stays so under another name, and its operators stay operators`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let opal = `operator`("opal", in: scene)
        try await scene.registers(alice)
        scene.says(opal, "bot: quiet", in: "#confab")
        scene.happens(.channelRenamed(scene.channel("#confab"), to: scene.channel("#parlour")))
        scene.says(alice, "unheard", in: "#parlour")
        scene.says(opal, "RESUME #parlour")
        try await scene.sees("-opal- I answer in #parlour again.")
        scene.says(alice, "heard", in: "#parlour")
        try await scene.sees("#parlour <bot> alice: An answer.")
        scene.says(opal, "QUIET #parlour")
        try await scene.sees("-opal- I am silent in #parlour from now on")
        scene.says(alice, "unheard too", in: "#parlour")
        try await scene.settle()
        #expect(scene.questions == ["heard"])
    }

    @Test func `nobody else can, nor an operator of another channel or one who was`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let other = `operator`("other", of: "#quiet", in: scene)
        let former = `operator`("former", in: scene)
        scene.happens(.joined(other, scene.channel("#confab")))
        scene.happens(.ranked(former.nick, scene.channel("#confab"), rank: "o", isHeld: false))
        for person in [alice, other, former] {
            scene.says(person, "bot: QUIET", in: "#confab")
            try await scene.sees("-\(person.nick)- Only operators of #confab can tell me that")
        }
        scene.says(other, "QUIET #elsewhere")
        try await scene.sees("-other- Say QUIET in the channel that you mean")
        #expect(try await scene.store.quietChannels() == [])
    }

    @Test func `answers under way when the channel falls silent are kept for their askers`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        let opal = `operator`("opal", in: scene)
        for person in [alice, bob] { try await scene.registers(person) }
        for person in [alice, bob] { scene.says(person, "by \(person.nick)", in: "#confab") }
        #expect(await eventually { scene.api.asked.count == 2 })
        scene.link.hold()
        scene.api.asked.first { $0.prompt.question == "by alice" }?.answer("Being said.")
        #expect(await eventually { scene.link.waitingCount == 1 })
        scene.says(opal, "bot: QUIET", in: "#confab")
        #expect(await eventually { scene.link.waiting.contains { $0.hasPrefix("The answer to your question 1") } })
        scene.link.flow()
        scene.api.asked.first { $0.prompt.question == "by bob" }?.answer("Not there yet.")
        try await scene.sees("-bob- The answer to your question 1 could not be said there. It is kept: /msg bot MORE")
        scene.says(bob, "MORE")
        try await scene.sees("-bob- [1] Not there yet.")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] Being said.")
        #expect(!scene.link.transcript.contains { $0.hasPrefix("#confab") })
    }

    @Test func `a password said in a silenced channel is dealt with all the same`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let opal = `operator`("opal", in: scene)
        try await scene.registers(alice)
        scene.says(opal, "bot: QUIET", in: "#confab")
        scene.says(alice, "LOGIN correct-horse", in: "#confab")
        try await scene.sees("-alice- That looked like a password")
    }

    // MARK: Greetings

    @Test func `people who join are greeted where the operator wants it, once a day and not in crowds`() async throws {
        let scene = try await Scene { settings in
            settings.channels[Scene.network]?[0].greeting = "Ask me: /msg {bot} HELP"
        }
        let alice = scene.arrives("alice")
        try await scene.sees("-alice- Ask me: /msg bot HELP")
        for number in 1...20 { _ = scene.arrives("splitter\(number)") }
        _ = scene.arrives("quentin", in: "#quiet")
        try await scene.settle()
        scene.clock.advance(by: .seconds(10))
        scene.happens(.quit(alice.nick))
        _ = scene.arrives("alice")
        #expect(try await scene.unread() == [])
        _ = scene.arrives("bob")
        try await scene.sees("-bob- Ask me: /msg bot HELP")
        scene.clock.advance(by: .seconds(86_400))
        scene.happens(.quit(alice.nick))
        _ = scene.arrives("alice")
        try await scene.sees("-alice- Ask me")
    }

    @Test func `without a greeting nobody who joins is told anything`() async throws {
        let scene = try await Scene()
        _ = scene.arrives("alice")
        #expect(try await scene.unread() == [])
    }
}
