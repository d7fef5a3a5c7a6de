import Domain
import Testing

@testable import Storage

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
        try await sample.store.note(SayingProgress(rest: 1), of: first)
        try await sample.store.note(SayingProgress(rest: 2), of: second)
        #expect(try await sample.store.unread(of: alice)?.exchange == second)
        #expect(try await sample.store.unread(of: alice)?.said == 2)
        try await sample.store.note(SayingProgress(), of: second)
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
        try await sample.store.note(SayingProgress(rest: 2), of: id)
        #expect(try await sample.store.unread(of: alice)?.said == 2)
        #expect(try await sample.store.undeliveredCount(of: alice) == 1)
        try await sample.store.note(SayingProgress(), of: id)
        #expect(try await sample.store.undeliveredCount(of: alice) == 0)
        #expect(try await sample.store.exchange(number: 1, of: alice)?.state == .answered)
    }

    @Test(
        arguments: [(nil, .answered, nil), (0, .undelivered, 0), (3, .undelivered, 3)] as [(Int?, ExchangeState, Int?)])
    func `after a sudden end an answer that was not wholly written is undelivered from there on`(
        written: Int?, state: ExchangeState, said: Int?
    ) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let id = try await sample.store.stored(question("?", by: alice)).id
        let progress = SayingProgress(written: written)
        try await sample.store.answer(id, with: completion("one two"), model: "m", at: later, progress: progress)
        let left = Store.Leftovers(unfinished: 0, unsaid: written == nil ? 0 : 1)
        #expect(try await sample.store.settleLeftovers() == left)
        #expect(try await sample.store.settleLeftovers() == Store.Leftovers(unfinished: 0, unsaid: 0))
        #expect(try await sample.store.exchange(number: 1, of: alice)?.state == state)
        #expect(try await sample.store.unread(of: alice)?.said == said)
        #expect(try await sample.store.undeliveredCount(of: alice) == left.unsaid)
    }

    @Test func `where a page or a piece of an answer was to be said, that is undone by a sudden end`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let page = try await answered("one two three", in: sample, by: alice)
        try await sample.store.note(SayingProgress(rest: 8, written: 4), of: page)
        let piece = try await sample.store.stored(question("?", by: alice)).id
        let progress = SayingProgress(rest: 7, written: 2)
        #expect(try await sample.store.keep(partial: "one two", progress, of: piece))
        let whole = try await sample.store.stored(question("?", by: alice)).id
        #expect(try await sample.store.keep(partial: "one two", SayingProgress(rest: 7), of: whole))
        let told = try await answered("told", in: sample, by: alice)
        try await sample.store.note(SayingProgress(rest: 2, written: 1), of: told)
        try await sample.store.note(written: nil, of: told)
        #expect(try await sample.store.settleLeftovers() == Store.Leftovers(unfinished: 2, unsaid: 1))
        var places: [Int?] = []
        for number in 1...4 { places.append(try await sample.store.unread(of: alice, number: number)?.said) }
        #expect(places == [4, 2, 7, 2])
    }
}
