import Domain
import Runtime
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Logins that ended because the bot was away.
@Suite struct CutLoginsTests {
    @Test func `whose login ended by a restart is told at their first line, once, and by the account's name`()
        async throws
    {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice")
            let bob = scene.arrives("bob")
            for person in [alice, bob] { try await scene.registers(person) }
            scene.happens(.renamed(alice, to: scene.nick("alice_afk")))
            scene.says(bob, "LOGOUT")
            try await scene.sees("-bob- You are logged out")
            try await scene.settle()
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice_afk", at: "alice@alice.example")
        let other = scene.arrives("alice", at: "other@other.example")
        let bob = scene.arrives("bob")
        scene.says(other, "good to be here", in: "#confab")
        scene.says(bob, "nothing to tell me?", in: "#confab")
        scene.says(alice, "where were we?", in: "#confab")
        try await scene.sees(
            "-alice_afk- I restarted, which ended your login. To log in again: /msg bot LOGIN alice <password>")
        scene.says(alice, "oh", in: "#confab")
        #expect(try await scene.unread() == [])
        #expect(!scene.link.transcript.contains { $0.hasPrefix("-alice- I restarted") || $0.hasPrefix("-bob- I") })
        await scene.ends()
    }

    @Test func `whoever logs in at once is told nothing, and so is everybody after a day`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            for name in ["alice", "bob"] { try await scene.registers(scene.arrives(name)) }
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        #expect(!scene.link.transcript.contains { $0.contains("I restarted") })
        let old = try await scene.store.openLogins(since: scene.clock.time.wall() + .seconds(1))
        #expect(old.isEmpty)
        await scene.ends()
    }

    @Test func `a lost connection is told as such`() async throws {
        let scene = try await Scene()
        try await scene.registers(scene.arrives("alice"))
        scene.reconnect()
        let alice = scene.arrives("alice")
        scene.says(alice, "back?", in: "#confab")
        try await scene.sees(
            "-alice- I lost my connection, which ended your login. To log in again: /msg bot LOGIN alice <password>")
    }
}
