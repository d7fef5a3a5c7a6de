import Domain
import Storage
import Testing

@Suite struct StoreReadingTests {
    private func answered(_ text: String, in sample: Sample, by account: AccountID) async throws -> ExchangeID {
        let id = try await sample.store.stored(question("q", by: account)).id
        try await sample.store.answer(id, with: completion(text), model: "m", at: later)
        return id
    }

    @Test func `the latest answer of which something is left comes first, and none twice`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let bob = try await sample.account("bob").id
        let first = try await answered("one", in: sample, by: alice)
        let second = try await answered("two", in: sample, by: alice)
        _ = try await answered("three", in: sample, by: alice)
        #expect(try await sample.store.unread(of: alice) == nil)
        try await sample.store.note(said: 1, of: first)
        try await sample.store.note(said: 2, of: second)
        #expect(try await sample.store.unread(of: alice)?.exchange == second)
        #expect(try await sample.store.unread(of: alice)?.said == 2)
        try await sample.store.note(said: nil, of: second)
        #expect(try await sample.store.unread(of: alice)?.answer == "one")
        #expect(try await sample.store.unread(of: alice, number: 3)?.said == 0)
        #expect(try await sample.store.unread(of: bob) == nil)
        #expect(try await sample.store.unread(of: bob, number: 1) == nil)
    }

    @Test func `an undelivered answer is unread until all of it is said`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let id = try await answered("lost", in: sample, by: alice)
        try await sample.store.markUndelivered(id)
        #expect(try await sample.store.undeliveredCount(of: alice) == 1)
        try await sample.store.note(said: 2, of: id)
        #expect(try await sample.store.unread(of: alice)?.said == 2)
        #expect(try await sample.store.undeliveredCount(of: alice) == 1)
        try await sample.store.note(said: nil, of: id)
        #expect(try await sample.store.undeliveredCount(of: alice) == 0)
        #expect(try await sample.store.exchange(number: 1, of: alice)?.state == .answered)
    }
}
