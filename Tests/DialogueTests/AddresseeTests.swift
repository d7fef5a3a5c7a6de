import Accounts
import Domain
import Passwords
import Storage
import TestKit
import Testing

@testable import Dialogue

/// What a command brings about is told to whoever gave it, or to nobody.
@Suite struct AddresseeTests {
    private let post = Postbox()

    /// Somebody with an account, an exchange and a code, ready to give the command.
    private func prepared(for command: String) async throws -> (scene: Scene, alice: Person) {
        let scene = try await Scene(strength: PasswordHasher.Strength(memory: 4 << 20, passes: 1), post: post) {
            $0.trustedNetworks = [Scene.network]
            $0.accounts.limits.registrationsPerAddress = 10
        }
        let alice = scene.arrives("alice", services: "alice_s")
        guard !command.hasPrefix("REGISTER") else { return (scene, alice) }
        try await scene.registers(alice)
        _ = try await scene.store.setAdministrator(true, try #require(AccountName("alice")))
        scene.says(alice, "hello", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        if command.hasPrefix("LOGIN") || command.hasPrefix("RESET") || command.hasPrefix("login") {
            scene.says(alice, "LOGOUT")
            try await scene.sees("-alice- You are logged out")
        }
        if command.hasPrefix("RESET") {
            scene.says(alice, "RESET alice")
            try await scene.sees("-alice- If there is such an account")
            #expect(await eventually { post.code != nil })
        }
        return (scene, alice)
    }

    @Test(
        "whoever takes the nick while a command is worked on reads nothing of it, whenever they come",
        arguments: [
            "REGISTER correct-horse alice@example.org", "LOGIN correct-horse", "LOGIN wrong-horse",
            "PASSWORD correct-horse battery-staple", "PASSWORD wrong-horse battery-staple",
            "EMAIL alice@example.net correct-horse", "PROFILE NAME Alice Liddell", "SET lines 3", "VERIFY",
            "VERIFY AAAA-BBBB-CCCC", "DROP correct-horse", "RESET alice {code} battery-staple", "UNLINK",
            "LINK correct-horse", "SESSIONS END ALL",
            "ADMIN ACCOUNTS", "ADMIN LOGOUT alice", "NEW", "RETRY", "MORE", "MORE 1", "HISTORY",
        ])
    func newcomer(_ command: String) async throws {
        // Before anything is done, and after ever more of it.
        for steps in [0, 1, 3, 10, 30, 100, 300, 1000] {
            let (scene, alice) = try await prepared(for: command)
            scene.says(alice, command.replacing("{code}", with: post.code ?? ""))
            for _ in 0..<steps { await Task.yield() }
            scene.happens(.quit(alice.nick))
            let newcomer = scene.arrives("alice", at: "mallory@elsewhere.example")
            scene.says(newcomer, "WHOAMI")
            try await scene.sees("-alice- You are not logged in. To log in")
            let read = try await scene.unread().filter { $0.hasPrefix("-alice-") || $0.hasPrefix("alice <") }
            #expect(read == [], "after \(steps) steps")
        }
    }

    @Test func `a password that turned out to be one is told to whoever said it, not to the next under the nick`()
        async throws
    {
        let (scene, alice) = try await prepared(for: "login")
        scene.says(alice, "login correct-horse", in: "#confab")
        scene.happens(.quit(alice.nick))
        let newcomer = scene.arrives("alice", at: "mallory@elsewhere.example")
        scene.says(newcomer, "WHOAMI")
        try await scene.sees("-alice- You are not logged in. To log in")
        #expect(await eventually { scene.memory.lines.contains { $0.contains("opens nothing until it is changed") } })
        #expect(try await scene.unread() == [])
    }

    @Test func `of a queue of notices the rest is not said to the next under the nick`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        await scene.holdsAnswer(to: alice, "WHOAMI")
        for _ in 1...5 { scene.says(alice, "HELP LOGIN") }
        scene.happens(.quit(alice.nick))
        scene.says(scene.arrives("alice", at: "mallory@elsewhere.example"), "LOGOUT")
        #expect(await eventually { scene.link.waitingCount == 2 })
        scene.link.flow()
        try await scene.sees("-alice- You are not logged in.")
        try await scene.sees("-alice- You are not logged in.")
        #expect(try await scene.unread() == [])
    }

    @Test func `what waits for somebody follows their nick`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        await scene.holdsAnswer(to: alice, "WHOAMI")
        scene.says(alice, "HELP WHOAMI")
        scene.happens(.renamed(alice, to: scene.nick("ally")))
        // Somebody else's answer waits too: then the bot knows of the change.
        scene.says(scene.arrives("bob"), "WHOAMI")
        #expect(await eventually { scene.link.waitingCount == 2 })
        scene.link.flow()
        try await scene.sees("-ally- /msg bot WHOAMI")
    }

    @Test func `somebody without a shared channel hears what came of REGISTER, unless another shows up meanwhile`()
        async throws
    {
        let scene = try await Scene { $0.accounts.limits.registrationsPerAddress = 10 }
        let bob = scene.person("bob")
        scene.says(bob, "REGISTER correct-horse bob@example.org")
        try await scene.sees("-bob- Registered: your account is bob.")
        let carol = scene.person("carol")
        scene.says(carol, "REGISTER correct-horse carol@example.org")
        scene.says(scene.person("carol", at: "mallory@elsewhere.example"), "WHOAMI")
        try await scene.sees("-carol- You are not logged in. To log in")
        let dave = scene.person("dave")
        scene.link.offerWatching()
        scene.says(dave, "REGISTER correct-horse dave@example.org")
        #expect(await eventually { scene.link.asked == ["+dave"] })
        scene.says(scene.person("dave", at: "mallory@elsewhere.example"), "WHOAMI")
        try await scene.sees("-dave- You are not logged in. To log in")
        scene.happens(.watched(dave.nick, nil))
        #expect(try await scene.unread() == [])
    }
}
