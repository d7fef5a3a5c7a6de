import Domain
import FoundationEssentials
import TestKit
import Testing

@testable import Dialogue

/// HELP, and what newcomers are told.
@Suite struct HelpTests {
    /// What somebody is told on HELP and the like.
    private static func told(_ person: Person, _ words: String, in scene: Scene) async throws -> [String] {
        _ = try await scene.unread()
        let start = scene.link.transcript.count
        scene.says(person, words)
        try await scene.settle()
        let opening = "-\(person.nick)- "
        return scene.link.transcript.dropFirst(start).filter { $0.hasPrefix(opening) }.map {
            String($0.dropFirst(opening.count))
        }
    }

    @Test func `HELP is five lines at most before the login and eight after, and says how to begin`() async throws {
        let scene = try await Scene(post: Postbox())
        let alice = scene.arrives("alice")
        let before = try await Self.told(alice, "help", in: scene)
        #expect((3...5).contains(before.count))
        for words in ["REGISTER <password> <e-mail>", "LOGIN <account> <password>", "RESET <account or e-mail>"] {
            #expect(before.contains { $0.contains("/msg bot \(words)") }, "\(words)")
        }
        try await scene.registers(alice)
        let after = try await Self.told(alice, "HELP", in: scene)
        #expect((3...8).contains(after.count))
        for word in ["STOP", "MORE", "HISTORY", "SET", "SESSIONS", "QUIET", "ASK <text>"] {
            #expect(after.contains { $0.contains(word) }, "\(word)")
        }
        #expect(!after.contains { $0.contains("REGISTER") || $0.contains("ADMIN") })
        #expect((before + after).allSatisfy { $0.utf8.count <= 200 })
    }

    @Test(arguments: ["ACCOUNT", "accounts", "ANSWERS", "answer", "HISTORY", "CHANNEL", "channels"])
    func `HELP on a topic has eight lines at most, for whoever asks`(topic: String) async throws {
        let scene = try await Scene(post: Postbox()) { $0.trustedNetworks = [Scene.network] }
        let alice = scene.arrives("alice")
        #expect((2...8).contains(try await Self.told(alice, "HELP \(topic)", in: scene).count))
        try await scene.registers(alice)
        let lines = try await Self.told(alice, "HELP \(topic)", in: scene)
        #expect((2...8).contains(lines.count))
        let commands = try #require(HelpTopic(topic)).commands
        #expect(!commands.isEmpty)
        for command in commands where !command.isToStart {
            #expect(lines.contains { $0.contains(command.name) }, "\(command.name)")
        }
    }

    @Test func `a word means one command, which HELP lists, unless it is for administrators`() {
        let words = Command.all.flatMap { [$0.name] + $0.synonyms }
        #expect(Set(words).count == words.count)
        for command in Command.all where command.audience != .administrators && command.name != "HELP" {
            #expect(command.topic != nil, "\(command.name)")
        }
        #expect(Command.named("IDENTIFY")?.name == "LOGIN" && Command.named("PASSWD")?.name == "PASSWORD")
    }

    @Test func `README's table has every command`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let manual = try String(contentsOfFile: "/\(root)/README.md", encoding: .utf8)
        let rows = manual.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for command in Command.all {
            #expect(rows.contains { $0.contains("`\(command.name)") }, "\(command.name)")
        }
    }

    @Test func `HELP tells more about one command`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "HELP login")
        try await scene.sees("-alice- /msg bot LOGIN [account or e-mail] <password>: ")
        try await scene.sees("-alice- You stay logged in, also when you change your nick")
        scene.says(alice, "bot: help", in: "#confab")
        try await scene.sees("-alice- I am an AI bot.")
    }

    @Test func `only what works here is told of`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let before = try await Self.told(alice, "HELP", in: scene)
        #expect(!before.contains { $0.contains("RESET") })
        let closed = Phrases.helpToStart(scene.nick("bot"), isRegistrationOpen: false, sendsMail: false)
        #expect(!closed.contains { $0.contains("REGISTER") })
        try await scene.registers(alice)
        let after =
            try await Self.told(alice, "HELP", in: scene) + (try await Self.told(alice, "HELP ACCOUNT", in: scene))
        for word in ["RESET", "VERIFY", "LINK", "ADMIN", "REGISTER"] {
            #expect(!after.contains { $0.contains(word) }, "\(word)")
        }
        #expect(try await Self.told(alice, "HELP LINK", in: scene) == ["LINK is off here."])
    }

    @Test(arguments: ["hello", "Hi all!", "hey everyone :)", "good morning", "Guten Tag", "привет", "你好"])
    func `a newcomer's hello where every line is heard is answered once, to them alone`(hello: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        scene.says(alice, hello, in: "#quiet")
        #expect(try await scene.unread() == [])
        scene.says(alice, hello, in: "#confab")
        try await scene.sees("-alice- Hello alice!")
        try await scene.sees("-alice- New here? /msg bot REGISTER <password> <e-mail>")
        scene.says(alice, hello, in: "#confab")
        scene.clock.advance(by: .seconds(3600))
        scene.says(alice, hello, in: "#confab")
        #expect(try await scene.unread() == [])
    }

    @Test(arguments: ["hello world in Rust is how long again?", "hi-fi", "help", "what a day", "hello.jpg"])
    func `other talk of strangers is not answered`(text: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, text, in: "#confab")
        #expect(try await scene.unread() == [])
    }
}
