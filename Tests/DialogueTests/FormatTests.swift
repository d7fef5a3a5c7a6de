import Domain
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
        scene.api.answer(by: ScriptedCompletions.saying("1\n2\n3\n4"))
        scene.says(alice, "count", in: "#confab")
        for line in ["1", "2", "3", "… 1 more lines"] { try await scene.sees("#confab <bot> alice: [AI] \(line)") }
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
            try await scene.sees("\(channel ?? "alice") <bot> alice: An answer.")
        }
        #expect(scene.api.prompts.map(\.temperature) == [0.25, nil])
        #expect(scene.api.prompts.map(\.maxTokens) == [99, nil])
    }
}
