import Domain
import Storage
import Testing

@Suite struct StoreConversationsTests {
    private func exchange(
        _ text: String, in sample: Sample, by account: AccountID, place: Place = confab, retryOf: Int? = nil
    ) async throws -> ExchangeID {
        var new = question(text, by: account, place: place)
        new.retryOf = retryOf
        let id = try await sample.store.stored(new).id
        try await sample.store.answer(id, with: completion("answer to \(text)"), model: "m", at: later)
        return id
    }

    private func context(_ sample: Sample, _ account: AccountID, place: Place = confab) async throws -> [String] {
        try await sample.store.context(of: account, network: testnet, place: place, limit: 9).map(\.question)
    }

    @Test func `a conversation begun afresh has no context, and no other conversation loses any`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let bob = try await sample.account("bob").id
        for place in [confab, .direct] { _ = try await exchange("one", in: sample, by: alice, place: place) }
        _ = try await exchange("his", in: sample, by: bob)
        for _ in 1...2 { try await sample.store.startAfresh(alice, network: testnet, place: confab) }
        #expect(try await context(sample, alice) == [])
        #expect(try await context(sample, alice, place: .direct) == ["one"])
        #expect(try await context(sample, bob) == ["his"])
        _ = try await exchange("two", in: sample, by: alice)
        #expect(try await context(sample, alice) == ["two"])
    }

    @Test func `a question asked again counts once, with its last answer`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        _ = try await exchange("one", in: sample, by: alice)
        _ = try await exchange("two", in: sample, by: alice)
        _ = try await exchange("two again", in: sample, by: alice, retryOf: 2)
        #expect(try await context(sample, alice) == ["one", "two again"])
        // One that got no answer takes no other's place.
        var failing = question("two, a third time", by: alice)
        failing.retryOf = 3
        let id = try await sample.store.stored(failing).id
        try await sample.store.fail(id, kind: .timedOut, partial: "", at: later)
        #expect(try await context(sample, alice) == ["one", "two again"])
        #expect(
            try await sample.store.lastExchange(of: alice, network: testnet, place: confab)?.question
                == "two, a third time")
        #expect(try await sample.store.lastExchange(of: alice, network: testnet, place: .direct) == nil)
    }
}
