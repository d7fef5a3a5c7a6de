import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// How answers look, and how they are marked.
@Suite struct FormatTests {
    @Test func `a channel with format irc sees codes, and others and HISTORY do not`() async throws {
        let scene = try await Scene { $0.channels[Scene.network]?[0].format = .irc }
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying("**yes**"))
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("#confab <bot> alice: \u{2}yes\u{2}")
        scene.says(alice, "bot: two", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: yes")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] A: yes")
    }

    @Test func `a network that wants model output marked has it on every line`() async throws {
        let scene = try await Scene { $0.marks[Scene.network] = "[AI]" }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying("1\n2\n3\n4\n5"))
        scene.says(alice, "count", in: "#confab")
        for line in ["alice: [AI] 1", "[AI] 2", "[AI] 3", "[AI] … 2 more"] {
            try await scene.sees("#confab <bot> \(line)")
        }
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] [AI] 4")
    }

    @Test func `a channel's temperature and length are asked of the model`() async throws {
        let scene = try await Scene { settings in
            settings.channels[Scene.network]?[0].temperature = 0.25
            settings.channels[Scene.network]?[0].maxTokens = 99
        }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for channel in ["#confab", nil] {
            scene.says(alice, "hm?", in: channel)
            try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") An answer.")
        }
        #expect(scene.api.prompts.map(\.temperature) == [0.25, nil])
        #expect(scene.api.prompts.map(\.maxTokens) == [99, nil])
    }

    // MARK: Channels that refuse codes

    /// A channel with format irc, an answer with a bold word, and somebody who can ask for it.
    private func formatted() async throws -> (scene: Scene, alice: Person) {
        let scene = try await Scene { $0.channels[Scene.network]?[0].format = .irc }
        scene.api.answer(by: ScriptedCompletions.saying("A **bold** word."))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        return (scene, alice)
    }

    private func refuses(_ scene: Scene) {
        scene.happens(.refused(.channel(scene.channel("#confab")), reason: "Can't send colors to channel"))
    }

    /// Soon after, the answer is said again, in plain text.
    private func repeats(_ scene: Scene, _ answer: String) async throws {
        #expect(await eventually { scene.clock.sleeperCount > 0 })
        scene.clock.advance(by: .seconds(2))
        try await scene.sees("#confab <bot> alice: \(answer)")
    }

    @Test func `a channel that refuses codes hears the answer again without, and no codes from then on`() async throws {
        let (scene, alice) = try await formatted()
        scene.says(alice, "word?", in: "#confab")
        try await scene.sees("#confab <bot> alice: A \u{2}bold\u{2} word.")
        refuses(scene)
        refuses(scene)
        try await repeats(scene, "A bold word.")
        scene.says(alice, "SET FORMAT irc")
        scene.says(alice, "word?", in: "#confab")
        try await scene.sees("#confab <bot> alice: A bold word.")
        #expect(try await scene.store.history(of: AccountID(1), last: 2).map(\.state) == [.answered, .answered])
        #expect(!scene.link.transcript.contains { $0.contains("could not be said") })
        // The next connection may find the mode gone.
        scene.reconnect()
        let back = scene.arrives("alice")
        try await scene.logsIn(back)
        scene.says(back, "word?", in: "#confab")
        try await scene.sees("#confab <bot> alice: A \u{2}bold")
    }

    @Test func `the refusal is understood, and remembered, when the channel has another name meanwhile`() async throws {
        let (scene, alice) = try await formatted()
        scene.says(alice, "word?", in: "#confab")
        try await scene.sees("#confab <bot> alice: A \u{2}bold\u{2} word.")
        scene.happens(.channelRenamed(scene.channel("#confab"), to: scene.channel("#parlour")))
        scene.happens(.refused(.channel(scene.channel("#parlour")), reason: "Can't send colors to channel"))
        #expect(await eventually { scene.clock.sleeperCount > 0 })
        scene.clock.advance(by: .seconds(2))
        try await scene.sees("#parlour <bot> alice: A bold word.")
        scene.says(alice, "word?", in: "#parlour")
        try await scene.sees("#parlour <bot> alice: A bold word.")
    }

    @Test func `a channel that refuses codes is known by a new casemapping too`() async throws {
        let scene = try await Scene(mapping: .ascii) { settings in
            settings.channels[Scene.network] = [ChannelRules(name: "#a[b", format: .irc)]
            settings.maxRepeats = 2
        }
        scene.api.answer(
            by: ScriptedCompletions.saying(
                "A **bold** word, and so many plain ones behind it that a pointer is shorter."))
        scene.happens(.entered(scene.channel("#a[b")))
        scene.happens(.members(scene.channel("#a[b"), []))
        let alice = scene.arrives("alice", in: "#a[b")
        try await scene.registers(alice)
        scene.says(alice, "word?", in: "#a[b")
        try await scene.sees("#a[b <bot> alice: A \u{2}bold")
        scene.happens(.refused(.channel(scene.channel("#a[b")), reason: "Can't send colors to channel"))
        #expect(await eventually { scene.clock.sleeperCount > 0 })
        scene.clock.advance(by: .seconds(2))
        try await scene.sees("#a[b <bot> alice: A bold word, and so many plain ones")
        scene.remap(.rfc1459)
        scene.says(alice, "word?", in: "#a[b")
        try await scene.sees("#a[b <bot> alice: A bold word, and so many plain ones")
        scene.says(alice, "word?", in: "#a[b")
        try await scene.sees("#a[b <bot> alice: The same answer as just before.")
    }

    @Test func `an answer refused while it is being said is said again without codes`() async throws {
        let (scene, alice) = try await formatted()
        await scene.holdsAnswer(to: alice, "word?", in: "#confab")
        scene.link.fail(.refused("Can't send colors to channel"))
        try await repeats(scene, "A bold word.")
        #expect(try await eventually { try await scene.store.unread(of: AccountID(1)) == nil })
        #expect(!scene.link.transcript.contains { $0.contains("could not be said") })
    }

    @Test func `what is refused without codes too is kept for MORE`() async throws {
        let (scene, alice) = try await formatted()
        scene.says(alice, "word?", in: "#confab")
        try await scene.sees("#confab <bot> alice: A \u{2}bold")
        refuses(scene)
        try await repeats(scene, "A bold word.")
        refuses(scene)
        try await scene.sees("-alice- The answer to your question 1 could not be said there. It is kept: /msg bot MORE")
    }

    @Test func `an answer that comes in while its codes are refused is said when it is whole`() async throws {
        let scene = try await Scene { settings in
            settings.channels[Scene.network]?[0].format = .irc
            settings.channels[Scene.network]?[0].streaming = .sentences
        }
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "word?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text("A **bold** word. And"))
        try await scene.sees("#confab <bot> alice: A \u{2}bold\u{2} word.")
        refuses(scene)
        try await scene.settle()
        scene.api.asked[0].answer("A **bold** word. And an end.")
        try await repeats(scene, "A bold word. And an end.")
    }
}
