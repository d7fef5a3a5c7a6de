import Domain
import FoundationEssentials
import TestKit
import Testing

@testable import Dialogue

/// A password is found nowhere but in its hash, wherever and however it was typed.
@Suite struct SecretsTests {
    private static let canary = "Canary-7yq"

    /// Everything that the bot wrote anywhere: its log, the files of its store, its prompts and what it said.
    private func traces(in scene: Scene) throws -> [String] {
        var found: [String] = []
        let folded = Self.canary.lowercased()
        let texts =
            [("log", scene.memory.lines), ("said", scene.link.transcript)]
            + [
                (
                    "prompt",
                    scene.api.prompts.flatMap {
                        [$0.system, $0.question] + $0.history.flatMap { [$0.question, $0.answer] }
                    }
                )
            ]
        for (place, lines) in texts where lines.contains(where: { $0.lowercased().contains(folded) }) {
            found.append(place)
        }
        let directory = scene.scratch.file("state")
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            guard let bytes = FileManager.default.contents(atPath: directory + "/" + name) else { continue }
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            if text.contains(folded) { found.append(name) }
        }
        return found
    }

    @Test func `a password typed where it belongs leaves no trace`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER \(Self.canary)")
        scene.says(alice, "REGISTER \(Self.canary) not-an-address")
        scene.says(alice, "REGISTER \(Self.canary) alice@example.org")
        try await scene.sees("-alice- Registered")
        scene.says(alice, "REGISTER \(Self.canary) alice@example.org")
        scene.says(alice, "LOGOUT")
        scene.says(alice, "LOGIN \(Self.canary)")
        try await scene.sees("-alice- You are logged in as alice.")
        scene.says(alice, "LOGIN nobody \(Self.canary)")
        scene.says(alice, "LOGIN \(Self.canary) alice")
        scene.says(alice, "LOGIN one two three \(Self.canary)")
        scene.says(alice, "lgoin \(Self.canary)")
        scene.says(alice, "IDENTIFY \(Self.canary)")
        scene.says(alice, "/login: \(Self.canary)")
        scene.says(alice, "PASSWORD \(Self.canary) other")
        scene.says(alice, "a question", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        try await scene.settle()
        #expect(scene.questions == ["a question"])
        #expect(try traces(in: scene) == [])
        await scene.ends()
        #expect(try traces(in: scene) == [])
    }

    @Test(
        "a password typed in a channel leaves no trace, and its owner is told privately",
        arguments: [
            "LOGIN %", " login alice %", "/msg bot LOGIN %", "/msg bot login alice %", "msg bot login %",
            "/query bot login %",
            "bot: login %", "bot, LOGIN alice %", "bot login %", "@bot login %", "!login %", ".login alice %",
            "/login %",
            "`LOGIN %`", "\"login alice %\"", "ＬＯＧＩＮ alice %", "lo\u{200B}gin %", "login: %", "login:%",
            "log in alice %",
            "lgoin alice %", "REGISTER % alice@example.org", "register alice@example.org % Alice Liddell", "IDENTIFY %",
            "/msg NickServ IDENTIFY %", "PASSWORD % other", "<alice> login %", "oops: /msg bot login %",
            "nick: login %",
        ])
    func inChannel(_ line: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, Self.canary)
        scene.says(alice, line.replacing("%", with: Self.canary), in: "#confab")
        try await scene.sees("-alice- That looked like a password, and everyone in #confab could read it.")
        scene.says(alice, line.replacing("%", with: Self.canary), in: "#quiet")
        try await scene.settle()
        #expect(scene.questions == [])
        await scene.ends()
        #expect(try traces(in: scene) == [])
    }

    @Test func `someone not logged in is warned too, once a minute`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        for _ in 1...3 { scene.says(alice, "login \(Self.canary)", in: "#confab") }
        try await scene.sees("-alice- That looked like a password")
        try await scene.sees("-alice- If it was one, it is no longer secret")
        #expect(try await scene.unread() == [])
        #expect(try traces(in: scene) == [])
    }

    @Test func `a question about logging in is a question`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "how do I login to my router?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["how do I login to my router?"])
    }

    @Test func `LOGIN without a password in a channel is answered in private with its usage`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "bot: login", in: "#confab")
        try await scene.sees("-alice- Missing: a password. Usage: /msg bot LOGIN")
    }
}
