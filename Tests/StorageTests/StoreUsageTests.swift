import Domain
import Storage
import Testing

@Suite struct StoreUsageTests {
    @Test func `what was asked since a moment is counted, in whatever state, and nothing before it`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        #expect(try await sample.store.usage(from: Timestamp(milliseconds: 0), to: end) == [])
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
        let records = try await sample.store.usage(from: Timestamp(milliseconds: 17_500), to: end)
        #expect(records.map(\.askedAt.milliseconds) == [20_000, 19_000, 18_000])
        #expect(records.map(\.tokens) == [6, 46, 0])
        #expect(records.allSatisfy { $0.account == alice && $0.network == testnet && $0.place == "#confab" })
        #expect(try await sample.store.usage(from: Timestamp(milliseconds: 0), to: end).count == 20)
        #expect(
            try await sample.store.usage(from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: 5000)).count == 5
        )
    }

    private let end = Timestamp(milliseconds: 1_000_000)

    @Test func `rows of a clock that was set back, and of any date, hide nothing of the day`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let dates: [Int64] = [900_000, 950_000] + Array(repeating: 10, count: 300) + [.max, .min, 960_000]
        for date in dates {
            var new = question("four", by: alice)
            new.askedAt = Timestamp(milliseconds: date)
            _ = try await sample.store.stored(new)
        }
        let records = try await sample.store.usage(from: Timestamp(milliseconds: 800_000), to: end)
        #expect(records.map(\.askedAt.milliseconds) == [960_000, 950_000, 900_000])
    }

    @Test(arguments: [
        (Int.max, Int.max, Int.max), (.min, 5, 5), (.max, 1, .max), (-1, -1, 0), (1 << 62, 1 << 62, .max),
    ])
    func `whatever numbers of tokens are stored, they have a sum`(prompt: Int, completion: Int, sum: Int) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let id = try await sample.store.stored(question("?", by: alice)).id
        let answer = Completion(text: "a", isCut: false, promptTokens: prompt, completionTokens: completion)
        try await sample.store.answer(id, with: answer, model: "m", at: later)
        #expect(try await sample.store.usage(from: Timestamp(milliseconds: 0), to: end).map(\.tokens) == [sum])
    }
}
