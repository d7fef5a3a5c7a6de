import Domain
import Storage
import TestKit
import Testing

struct StoreExchangesTests {
    @Test func `a question is pending until its answer is stored, and both come back as they were`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let begun = try await sample.store.stored(question("why?", by: alice.id))
        let id = begun.id
        #expect(begun.number == 1)
        let pending = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(pending.state == .pending)
        #expect(pending.answer == nil)
        #expect(pending.askedAt == Timestamp(milliseconds: 2000))

        let isStored = try await sample.store.answer(id, with: completion("because"), model: "m", at: later)
        #expect(isStored)
        let answered = try #require(try await sample.store.history(of: alice.id, last: 5).first)
        #expect(answered.state == .answered)
        #expect(answered.question == "why?")
        #expect(answered.answer == "because")
        #expect(answered.channel == "#Confab")
        #expect(answered.network == testnet)
    }

    @Test func `a question grows only while it is pending`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("one", by: alice.id)).id
        #expect(try await sample.store.keep(partial: "Half", SayingProgress(rest: 0), of: id))
        #expect(try await sample.store.extend(id, to: "one\ntwo", spent: 11))
        let pending = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(pending.question == "one\ntwo")
        #expect(pending.answer == nil)
        try await sample.store.answer(id, with: completion("both"), model: "m", at: later)
        #expect(try await !sample.store.extend(id, to: "three", spent: 0))
        #expect(try await sample.store.exchange(number: 1, of: alice.id)?.question == "one\ntwo")
    }

    @Test func `each account counts its own exchanges from 1`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        var numbers: [Int] = []
        for person in [alice, bob, alice, bob, alice] {
            numbers.append(try await sample.store.stored(question("?", by: person.id)).number)
        }
        #expect(numbers == [1, 1, 2, 2, 3])
    }

    @Test(arguments: [
        "", " ", "a\0b\0", "\0", "🧑‍🚀🏳️‍🌈 e\u{301}", "line\r\nline\ttab", "'; DROP TABLE exchanges; --", "漢字かな",
        "\u{FEFF}mark", "\u{FFFD}",
    ])
    func `every text comes back byte for byte`(text: String) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question(text, by: alice.id)).id
        _ = try await sample.store.answer(id, with: completion(text), model: text, at: later)
        let stored = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(Array(stored.question.utf8) == Array(text.utf8))
        #expect(stored.answer.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test func `a megabyte comes back whole`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let text = String(repeating: "汉字 and words. ", count: 50_000)
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.answer(id, with: completion(text), model: "m", at: later)
        let isSame = try await sample.store.exchange(number: 1, of: alice.id)?.answer == text
        #expect(isSame)
    }

    @Test func `an answer that comes after the interruption is refused`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        let isInterrupted = try await sample.store.interrupt(id, partial: "as far as")
        #expect(isInterrupted)
        let isAnswered = try await sample.store.answer(id, with: completion("late"), model: "m", at: later)
        #expect(!isAnswered)
        let isFailed = try await sample.store.fail(id, kind: .timedOut, partial: "later", at: later)
        #expect(!isFailed)
        let stored = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(stored.state == .interrupted)
        #expect(stored.answer == "as far as")
    }

    @Test func `an answer is stored once`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.answer(id, with: completion("first"), model: "m", at: later)
        let isAgain = try await sample.store.answer(id, with: completion("second"), model: "m", at: later)
        #expect(!isAgain)
        let isInterrupted = try await sample.store.interrupt(id, partial: "")
        #expect(!isInterrupted)
        #expect(try await sample.store.exchange(number: 1, of: alice.id)?.answer == "first")
    }

    @Test func `only an answered exchange becomes undelivered`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        let isEarly = try await sample.store.markUndelivered(id)
        #expect(!isEarly)
        _ = try await sample.store.answer(id, with: completion("yes"), model: "m", at: later)
        let isMarked = try await sample.store.markUndelivered(id)
        #expect(isMarked)
        let stored = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(stored.state == .undelivered)
        #expect(stored.answer == "yes")
    }

    @Test(arguments: CompletionFailure.Kind.allCases)
    func `a failure of every kind is stored with what came before it`(kind: CompletionFailure.Kind) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.fail(id, kind: kind, partial: "half an", at: later)
        let silent = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.fail(silent, kind: kind, partial: "", at: later)
        let stored = try await sample.store.history(of: alice.id, last: 2)
        #expect(stored.map(\.state) == [.failed, .failed])
        #expect(stored.map(\.answer) == ["half an", nil])
    }

    @Test func `after a sudden end every pending question is interrupted, and the others stay`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        for text in ["one", "two"] { _ = try await sample.store.stored(question(text, by: alice.id)) }
        let answered = try await sample.store.stored(question("three", by: alice.id)).id
        _ = try await sample.store.answer(answered, with: completion("3"), model: "m", at: later)
        #expect(try await sample.store.settleLeftovers().unfinished == 2)
        #expect(try await sample.store.settleLeftovers().unfinished == 0)
        let states = try await sample.store.history(of: alice.id, last: 9).map(\.state)
        #expect(states == [.interrupted, .interrupted, .answered])
    }

    @Test func `a person is told of an interruption once, in order, and of nobody else's`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        for text in ["one", "two", "three"] { _ = try await sample.store.stored(question(text, by: alice.id)) }
        _ = try await sample.store.stored(question("bob's", by: bob.id))
        _ = try await sample.store.settleLeftovers()
        let told = try await sample.store.takeInterruptedNotices(of: alice.id)
        #expect(told.map(\.question) == ["one", "two", "three"])
        #expect(try await sample.store.takeInterruptedNotices(of: alice.id).isEmpty)
        #expect(try await sample.store.takeInterruptedNotices(of: bob.id).map(\.question) == ["bob's"])
    }

    @Test func `a question is stored only while its login holds`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let new = question("?", by: alice.id)
        #expect(try await sample.store.begin(new) != nil)
        #expect(try await sample.store.setDisabled(true, alice.name))
        #expect(try await sample.store.begin(new) == nil)
        #expect(try await sample.store.setDisabled(false, alice.name))
        #expect(try await sample.store.begin(new) == nil)
        #expect(try await sample.store.begin(question("?", by: AccountID(99))) == nil)
        #expect(try await sample.store.history(of: alice.id, last: 9).count == 1)
    }

    @Test func `a write goes on while something is done meanwhile, and both are waited for`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        var seen: [String] = []
        let begun = try await sample.store.begin(question("?", by: alice.id)) {
            _ = await eventually { (try? await sample.store.history(of: alice.id, last: 1))?.isEmpty == false }
            seen = (try? await sample.store.history(of: alice.id, last: 1))?.map(\.question) ?? []
        }
        #expect(seen == ["?"])
        #expect(begun?.number == 1)
    }

    @Test func `a failure never repeats what was to be stored`() async throws {
        let sample = try Sample()
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.link(
                #require(ServicesLink(network: testnet, servicesAccount: "secret words")), to: AccountID(99), at: later)
        }
        #expect(failure.map { "\($0)".contains("secret") } == false)
    }
}
