import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// ADMIN, as administrators and others meet it.
@Suite struct AdminTests {
    private func administrator(in scene: Scene) async throws -> Person {
        let root = scene.arrives("root")
        try await scene.registers(root)
        _ = try await scene.store.setAdministrator(true, try #require(AccountName("root")))
        return root
    }

    @Test func `only an account with the flag is an administrator, at the very moment`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "ADMIN ACCOUNTS")
        try await scene.sees("-alice- You are not logged in.")
        try await scene.registers(alice)
        scene.says(alice, "ADMIN DISABLE alice")
        try await scene.sees("-alice- You are not an administrator.")
        let root = try await administrator(in: scene)
        scene.says(root, "ADMIN ACCOUNTS ali")
        try await scene.sees("-root- alice: 1 logins, 0 exchanges")
        _ = try await scene.store.setAdministrator(false, try #require(AccountName("root")))
        scene.says(root, "ADMIN ACCOUNTS")
        try await scene.sees("-root- You are not an administrator.")
    }

    @Test func `DISABLE ends the logins and lets nobody in, ENABLE does again, and both are on record`() async throws {
        let scene = try await Scene()
        let root = try await administrator(in: scene)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(root, "admin disable ALICE")
        try await scene.sees("-alice- The operator closed your login to alice")
        try await scene.sees("-root- alice is disabled, and its logins are over.")
        scene.says(alice, "LOGIN correct-horse")
        try await scene.sees("-alice- The account alice is closed.")
        scene.says(root, "ADMIN ENABLE alice")
        try await scene.sees("-root- alice may log in again.")
        try await scene.logsIn(alice)
        scene.says(root, "ADMIN LOGOUT alice")
        try await scene.sees("-alice- The operator closed your login to alice")
        scene.says(root, "ADMIN DISABLE root")
        try await scene.sees("-root- That would close your own account.")
        scene.says(root, "ADMIN DISABLE nobody")
        try await scene.sees("-root- There is no account nobody.")
        try await scene.settle()
        let records = try await scene.store.auditRecords(last: 10)
        #expect(records.map(\.action) == ["DISABLE", "ENABLE", "LOGOUT", "DISABLE", "DISABLE"])
        #expect(records.allSatisfy { $0.actor == "account root" })
    }

    @Test func `commands that are pasted together are done and answered in their order`() async throws {
        let scene = try await Scene()
        let root = try await administrator(in: scene)
        try await scene.registers(scene.arrives("alice"))
        for round in 0..<5 {
            let words = round.isMultiple(of: 2) ? ["DISABLE", "ENABLE"] : ["ENABLE", "DISABLE"]
            for word in words + words { scene.says(root, "ADMIN \(word) alice") }
            scene.says(root, "WHOAMI")
            let seen = ["DISABLE": "-root- alice is disabled", "ENABLE": "-root- alice may log in again."]
            for word in words + words { try await scene.sees(try #require(seen[word])) }
            try await scene.sees("-root- You are logged in as root")
            let isDisabled = try await scene.store.credentials(for: "alice")?.isDisabled
            #expect(isDisabled == (words[1] == "DISABLE"))
        }
    }

    @Test func `an ignored mask or account is not heard until the time is over`() async throws {
        let scene = try await Scene()
        let root = try await administrator(in: scene)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for entry in ["*!*@alice.example 30m", "alice 30m"] {
            scene.says(root, "ADMIN IGNORE \(entry)")
            try await scene.sees("-root- I do not listen to \(entry.split(separator: " ")[0]) until 2026-")
            let before = scene.questions.count
            scene.says(alice, "can you hear me?", in: "#confab")
            scene.says(alice, "WHOAMI")
            try await scene.settle()
            #expect(scene.questions.count == before)
            scene.clock.advance(by: .seconds(1800))
            scene.says(alice, "and now?", in: "#confab")
            try await scene.sees("#confab <bot> alice: An answer.")
        }
        scene.says(root, "ADMIN IGNORE alice")
        try await scene.sees("-root- I do not listen to alice any more.")
        scene.says(root, "ADMIN UNIGNORE ALICE")
        try await scene.sees("-root- I listen to ALICE again. Ignored now: nobody")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
    }

    @Test func `in a channel nothing is done, and nonsense shows the usage`() async throws {
        let scene = try await Scene()
        let root = try await administrator(in: scene)
        scene.says(root, "bot: ADMIN DISABLE alice", in: "#confab")
        try await scene.sees("-root- Say that to me in private")
        for words in ["ADMIN", "ADMIN IGNORE *!*@*", "ADMIN IGNORE alice soon", "ADMIN DISABLE"] {
            scene.says(root, words)
            try await scene.sees("-root- For administrators: /msg bot ADMIN ACCOUNTS")
        }
    }
}

@Suite struct IgnoreListTests {
    private func person(_ mask: String) -> Person {
        let parts = mask.split(whereSeparator: { "!@".contains($0) }).map(String.init)
        return Person(nick: Nick(parts[0], .rfc1459), user: parts[1], host: parts[2])
    }

    @Test(
        arguments: [
            ("*!*@evil.example", "eve!e@evil.example", true), ("*!*@evil.example", "eve!e@good.example", false),
            ("E?E!*@*", "eve!x@y", true), ("eve!*", "eve!x@y", true), ("e@evil.example", "any!e@EVIL.example", true),
            ("*!*@*.example", "a!b@c.example", true), ("*!*@*.example", "a!b@c.example.org", false),
            ("a*a*a*b!*@*", "aaaaaaaaaaaaaaaaaaaaaaaa!x@y", false), ("*@evil", "eve!e@evil", true),
        ])
    func mask(_ mask: String, of text: String, isMatch: Bool) {
        let list = IgnoreList([IgnoreEntry(pattern: mask, expiresAt: nil)])
        #expect(list.contains(person(text), account: nil, at: Timestamp(milliseconds: 0)) == isMatch)
    }

    @Test func `an account is ignored under any nick, and a nick of that name is not`() throws {
        let list = IgnoreList([IgnoreEntry(pattern: "Eve", expiresAt: Timestamp(milliseconds: 10))])
        let someone = person("x!y@z")
        let eve = try #require(AccountName("EVE"))
        #expect(list.contains(someone, account: eve, at: Timestamp(milliseconds: 9)))
        #expect(!list.contains(someone, account: eve, at: Timestamp(milliseconds: 10)))
        #expect(!list.contains(person("eve!y@z"), account: nil, at: Timestamp(milliseconds: 0)))
    }

    @Test func `who is ignored from the command line is not listened to soon after`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        for person in [alice, bob] { try await scene.registers(person) }
        try await scene.store.ignore(
            IgnoreEntry(pattern: "alice", expiresAt: nil), by: "test", at: Timestamp(milliseconds: 0))
        scene.clock.advance(by: .seconds(15))
        scene.says(bob, "anybody's line", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        try await scene.settle()
        scene.says(alice, "unheard", in: "#confab")
        scene.says(bob, "heard", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        #expect(scene.questions == ["anybody's line", "heard"])
    }
}
