import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// People who come through a relay that the operator named.
@Suite struct RelaysTests {
    /// A bot that knows the relay `bridge`, whose people may ask under the account `bridge`, which is there.
    private static func scene(
        _ relay: RelaySettings = RelaySettings(nick: "bridge", account: AccountName("bridge")),
        _ change: (inout DialogueSettings) -> Void = { _ in }
    ) async throws -> (Scene, Person) {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let bridge = scene.arrives("bridge")
            try await scene.registers(bridge)
            scene.says(bridge, "LOGOUT")
            try await scene.sees("-bridge- You are logged out")
            try await scene.settle()
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch) {
            $0.relays = [Scene.network: [relay]]
            change(&$0)
        }
        return (scene, scene.arrives("bridge", in: "#confab", "#quiet"))
    }

    @Test(arguments: [
        "[discord] <bob> bot: hi", "(bob) bot, hi", "<bob/irc> bot: hi", "**bob**: bot: hi", "bob: bot: hi",
    ])
    func `each form is heard, and answered to whom it is from`(line: String) async throws {
        let (scene, bridge) = try await Self.scene()
        scene.says(bridge, line, in: "#quiet")
        try await scene.sees("#quiet <bot> bob: An answer.")
        #expect(scene.questions == ["hi"])
        let account = try #require(try await scene.store.credentials(for: "bridge")).account.id
        let stored = try await scene.store.history(of: account, last: 5)
        #expect(stored.map(\.channel) == ["#quiet"])
        #expect(stored.map(\.question) == ["hi"])
    }

    @Test func `each has a conversation and a place in the queue of their own`() async throws {
        let (scene, bridge) = try await Self.scene()
        scene.says(bridge, "<bob> my name is Bob", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        scene.says(bridge, "<eve> who am I?", in: "#confab")
        try await scene.sees("#confab <bot> eve: An answer.")
        #expect(scene.api.prompts.last?.history.isEmpty == true)
        scene.api.answer(by: nil)
        for name in ["bob", "eve", "carol"] { scene.says(bridge, "<\(name)> and now?", in: "#confab") }
        #expect(await eventually { scene.api.asked.count == 3 })
        let histories = scene.api.asked.map { $0.prompt.history.map(\.question) }
        #expect(Set(histories) == [["my name is Bob"], ["who am I?"], []])
        scene.says(bridge, "<bob> bot: stop", in: "#confab")
        #expect(await eventually { scene.api.cancelledCount == 1 })
        for asked in scene.api.asked { asked.answer("Yes.") }
        try await scene.sees("#confab <bot> ")
    }

    @Test func `they share the budget of the relay's account, and are told so in the channel`() async throws {
        let (scene, bridge) = try await Self.scene { $0.accountBudget.questionsPerDay = 1 }
        scene.says(bridge, "<bob> one", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        scene.says(bridge, "<eve> two", in: "#confab")
        try await scene.sees("#confab <bot> eve: I take 1 question a day from one person")
        #expect(scene.questions == ["one"])
    }

    @Test(arguments: [
        "<bob> bot: login bob tiger-horse", "<bob> bot: register tiger-horse bob@example.org",
        "bob: bot: identify tiger-horse", "<bob> bot: password tiger-horse lion-horse",
    ])
    func `no password is taken through a relay, and its sender is told in the channel`(line: String) async throws {
        let (scene, bridge) = try await Self.scene()
        scene.says(bridge, line, in: "#confab")
        try await scene.sees("#confab <bot> bob: That looked like a password. I take none through a relay")
        scene.says(bridge, "<bob> bot: history", in: "#confab")
        try await scene.sees("#confab <bot> bob: Through a relay you can only ask me")
        #expect(scene.questions.isEmpty)
        #expect(try await scene.store.credentials(for: "bob") == nil)
        #expect(!scene.memory.lines.contains { $0.contains("tiger-horse") })
    }

    @Test func `where guests may not ask they are told how to, and their other lines are left alone`() async throws {
        let (scene, bridge) = try await Self.scene(RelaySettings(nick: "bridge"))
        scene.says(bridge, "<bob> just talking", in: "#confab")
        scene.says(bridge, "<bob> bot: hi", in: "#confab")
        try await scene.sees(
            "#confab <bot> bob: I answer people who are logged in, which cannot be done through a relay.")
        #expect(scene.questions.isEmpty)
    }

    @Test func `whoever has the relay's nick from elsewhere is no relay`() async throws {
        let relay = RelaySettings(nick: "bridge", address: "*@good.example", account: AccountName("bridge"))
        let (scene, bridge) = try await Self.scene(relay)
        scene.says(bridge, "<bob> bot: hi", in: "#confab")
        try await scene.sees("-bridge- I answer people who are logged in.")
        scene.happens(.quit(bridge.nick))
        let rightful = scene.arrives("bridge", at: "b@good.example")
        scene.says(rightful, "<bob> bot: hi", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
    }

    @Test func `a relay that calls itself a bot is heard, and what it says itself is not`() async throws {
        let (scene, bridge) = try await Self.scene()
        scene.happens(.seen(bridge, isBot: true))
        scene.says(bridge, "bob has joined from discord", in: "#confab")
        scene.says(bridge, "<bob> hi", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        #expect(scene.questions == ["hi"])
    }

    @Test func `lines of one breath are one question here too`() async throws {
        let (scene, bridge) = try await Self.scene { $0.gather = .milliseconds(1200) }
        scene.api.answer(by: nil)
        scene.says(bridge, "<bob> one", in: "#confab")
        scene.says(bridge, "<eve> other", in: "#confab")
        scene.says(bridge, "<bob> two", in: "#confab")
        try await scene.settle()
        #expect(await eventually { Set(scene.questions).isSuperset(of: ["one\ntwo", "other"]) })
    }
}
