import Domain
import Storage
import TestKit
import Testing

struct StoreAccountsTests {
    @Test func `an account comes back as it was registered, by name or e-mail in any case`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("Alice", email: "Alice@Example.org")
        #expect(alice.name.spelling == "Alice")
        for login in ["alice", "ALICE", "alice@example.org", "ALICE@EXAMPLE.ORG"] {
            let found = try #require(try await sample.store.credentials(for: login))
            #expect(found.account == alice)
            #expect(found.account.email?.spelling == "Alice@Example.org")
            #expect(found.account.firstName == "Ada")
            #expect(found.account.lastName == nil)
            #expect(found.passwordHash == "$argon2id$Alice")
        }
    }

    @Test(arguments: ["bob", "bob@example.org", "", "a", "@", "' OR 1=1 --", "%", "alice\0"])
    func `nobody else is found`(login: String) async throws {
        let sample = try Sample()
        _ = try await sample.account("alice", email: "alice@example.org")
        #expect(try await sample.store.credentials(for: login) == nil)
    }

    @Test func `a name is taken in every case, and so is an e-mail address`() async throws {
        let sample = try Sample()
        _ = try await sample.account("alice", email: "a@example.org")
        let name = try await sample.store.createAccount(newAccount("ALICE", email: "b@example.org"))
        #expect(name == .nameTaken)
        let email = try await sample.store.createAccount(newAccount("bob", email: "A@EXAMPLE.ORG"))
        #expect(email == .emailTaken)
        let both = try await sample.store.createAccount(newAccount("Alice", email: "a@example.org"))
        #expect(both == .nameTaken)
    }

    @Test func `any number of accounts may be without an e-mail address`() async throws {
        let sample = try Sample()
        _ = try await sample.account("alice")
        let bob = try await sample.account("bob")
        #expect(bob.email == nil)
    }

    @Test func `of many who want one name at once, one gets it`() async throws {
        let sample = try Sample()
        let created = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let new = try newAccount("alice", email: "a\(index)@example.org")
                    if case .created = try await sample.store.createAccount(new) { return true }
                    return false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(created == 1)
    }

    @Test func `a new hash replaces the old one of that account only`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        _ = try await sample.account("bob")
        try await sample.store.replacePasswordHash("new", of: alice.id)
        #expect(try await sample.store.credentials(for: "alice")?.passwordHash == "new")
        #expect(try await sample.store.credentials(for: "bob")?.passwordHash == "$argon2id$bob")
    }
}
