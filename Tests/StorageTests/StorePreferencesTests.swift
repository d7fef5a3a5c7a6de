import Domain
import Storage
import Testing

struct StorePreferencesTests {
    @Test func `what somebody set comes with their account, however it is read, and with no other`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        let all = Preferences(
            listen: .addressed, format: .irc, model: "owl", language: "Deutsch", lines: 4, persona: "a pirate")
        #expect(try await sample.store.setPreferences(all, of: alice.id)?.preferences == all)
        #expect(try await sample.store.credentials(for: "alice")?.account.preferences == all)
        #expect(try await sample.store.credentials(of: alice.id)?.passwordHash == "$argon2id$alice")
        #expect(try await sample.store.accountRecord(of: alice.name)?.account.preferences == all)
        #expect(try await sample.store.credentials(of: bob.id)?.account.preferences == Preferences())
        #expect(try await sample.store.setPreferences(Preferences(), of: alice.id)?.preferences == Preferences())
        #expect(try await sample.store.setPreferences(all, of: AccountID(999)) == nil)
    }
}
