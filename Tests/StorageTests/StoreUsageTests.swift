import Domain
import Storage
import Testing

@Suite struct StoreUsageTests {
    @Test func `what was asked since a moment is counted, in whatever state, and nothing before it`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        #expect(try await sample.store.usage(since: Timestamp(milliseconds: 0)) == [])
        for number in 1...20 {
            var new = question("four", by: alice)
            new.askedAt = Timestamp(milliseconds: Int64(number) * 1000)
            let id = try await sample.store.stored(new).id
            if number == 19 { try await sample.store.answer(id, with: completion("a"), model: "m", at: later) }
            if number == 20 {
                let untold = Completion(text: "eighteen letters…", isCut: false)
                try await sample.store.answer(id, with: untold, model: "m", at: later)
            }
        }
        let records = try await sample.store.usage(since: Timestamp(milliseconds: 17_500))
        #expect(records.map(\.askedAt.milliseconds) == [18_000, 19_000, 20_000])
        #expect(records.map(\.tokens) == [0, 46, 6])
        #expect(records.allSatisfy { $0.account == alice && $0.network == testnet && $0.place == "#confab" })
        #expect(try await sample.store.usage(since: Timestamp(milliseconds: 0)).count == 20)
    }
}
