import Domain
import Storage
import TestKit
import Testing

struct StoreAccountChangesTests {
    @Test func `a login made with an account holds until the account is disabled, deleted or given a new password`()
        async throws
    {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        #expect(try await sample.store.isGood(alice))
        let changed = try #require(try await sample.store.changePassword(hash: "new", of: alice.id))
        #expect(try await !sample.store.isGood(alice))
        #expect(try await sample.store.isGood(changed.account))
        #expect(try await sample.store.setDisabled(true, alice.name))
        #expect(try await !sample.store.isGood(changed.account))
        #expect(try await sample.store.delete(alice.id) == 0)
        #expect(try await sample.store.delete(alice.id) == nil)
        #expect(try await sample.store.isGood(bob))
    }

    @Test func `an exposed password stays so until it is changed`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        #expect(try await sample.store.exposePassword(of: alice.id, by: "net a@b"))
        #expect(try await !sample.store.exposePassword(of: alice.id, by: "net c@d"))
        #expect(try await sample.store.credentials(for: "alice")?.exposedBy == "net a@b")
        #expect(try await sample.store.isGood(alice))
        _ = try await sample.store.changePassword(hash: "new", of: alice.id)
        #expect(try await sample.store.credentials(of: alice.id)?.exposedBy == nil)
    }

    @Test func `another address is taken unless another account has it`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice", email: "a@example.org")
        _ = try await sample.account("bob", email: "b@example.org")
        let taken = try #require(EmailAddress("B@example.org"))
        #expect(try await sample.store.setEmail(taken, of: alice.id) == nil)
        let own = try #require(EmailAddress("A@Example.org"))
        #expect(try await sample.store.setEmail(own, of: alice.id)?.email?.spelling == "A@Example.org")
    }

    @Test func `wrong passwords are handed out once, most first`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        for host in ["a", "b", "b"] {
            try await sample.store.noteFailedLogin(of: alice.id, network: testnet, host: host, at: later)
        }
        try await sample.store.noteFailedLogin(of: AccountID(999), network: testnet, host: "a", at: later)
        let failed = try await sample.store.takeFailedLogins(of: alice.id)
        #expect(failed.map(\.host) == ["b", "a"] && failed.map(\.count) == [2, 1])
        #expect(try await sample.store.takeFailedLogins(of: alice.id) == [])
    }

    @Test func `a visitor works beside the bot, and its changes are seen at once`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let visitor = try Store.visit(directory: sample.directory, log: sample.log.log)
        #expect(try await visitor.setAdministrator(true, alice.name))
        #expect(try await sample.store.accountRecord(of: alice.name)?.isAdministrator == true)
        _ = try await sample.store.stored(question("?", by: alice.id))
        #expect(try await visitor.accountRecords().map(\.exchangeCount) == [1])
        await visitor.close()
        _ = try await sample.store.stored(question("?", by: alice.id))
    }

    @Test func `of a deleted account no byte is left in any file, though the store goes on`() async throws {
        let sample = try Sample()
        let canary = "kanarienvogel"
        let alice = try await sample.account(canary, email: "\(canary)@example.org")
        let bob = try await sample.account("bob")
        _ = try await sample.store.setPreferences(Preferences(persona: "a \(canary)"), of: alice.id)
        try await sample.store.noteFailedLogin(of: alice.id, network: testnet, host: "\(canary).test", at: later)
        // Small and large ones, between those of others, so that pages are shared, split and merged.
        for number in 1...300 {
            let text = String(repeating: "\(canary) \(number) ", count: number % 7 == 0 ? 600 : 3)
            let begun = try #require(try await sample.store.begin(question(text, by: alice.id)))
            try await sample.store.answer(begun.id, with: completion(text), model: "m", at: later)
            _ = try await sample.store.begin(question("bob's \(number)", by: bob.id))
        }
        #expect(try sample.scratch.bytes(in: "state").firstRange(of: Array(canary.utf8)) != nil)
        #expect(try await sample.store.delete(alice.id) == 300)
        #expect(try sample.scratch.bytes(in: "state").firstRange(of: Array(canary.utf8)) == nil)
        #expect(try await sample.store.history(of: bob.id, last: 500).count == 300)
    }

    @Test func `the addresses of the latest logins are known, and no more than eight`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        for number in 1...20 {
            let at = Timestamp(milliseconds: Int64(number))
            try await sample.store.noteLogin(of: alice.id, from: "net u@host\(number)", at: at)
            try await sample.store.noteLogin(of: alice.id, from: "net u@home", at: at)
        }
        let sources = try #require(try await sample.store.credentials(for: "alice")?.loginSources)
        #expect(Set(sources) == Set(["net u@home"] + (14...20).map { "net u@host\($0)" }))
        try await sample.store.noteLogin(of: AccountID(999), from: "net u@home", at: later)
    }

    @Test func `another password ends the links to services accounts`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        for (name, account) in [("a", alice), ("b", alice), ("c", bob)] {
            let link = try #require(ServicesLink(network: testnet, servicesAccount: name))
            try await sample.store.link(link, to: account.id, at: later)
        }
        #expect(try await sample.store.servicesLinks(of: alice.id).map(\.servicesAccount) == ["a", "b"])
        #expect(try await sample.store.changePassword(hash: "new", of: alice.id)?.endedLinks == 2)
        #expect(try await sample.store.servicesLinks().count == 1)
        #expect(try await sample.store.endLinks(of: bob.id) == 1)
    }

    @Test func `an earlier code is good while a later one is under way, and none after either was used`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice", email: "a@example.org")
        let email = try #require(EmailAddress("a@example.org"))
        func keep(_ hash: String, until end: Int64) async throws {
            try await sample.store.keepCode(
                hash: hash, for: .reset, of: alice.id, sentTo: email, at: later, until: Timestamp(milliseconds: end))
        }
        func use(_ hash: String) async throws -> Bool {
            try await sample.store.useCode(hash: hash, for: .reset, of: alice.id, at: later)
        }
        try await keep("old", until: 3000)
        try await keep("first", until: 4000)
        try await keep("second", until: 5000)
        #expect(try await !use("old"))
        #expect(try await use("first"))
        #expect(try await !use("second"))
    }
}
