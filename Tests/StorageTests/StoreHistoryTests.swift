import Domain
import Storage
import TestKit
import Testing

struct StoreHistoryTests {
    private let privately = Place.direct
    private let other = Place.channel(ChannelName("#other", .rfc1459))

    @Test func `history is the latest of one's own, oldest first`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        for index in 1...5 {
            _ = try await sample.store.stored(question("a\(index)", by: alice.id))
            _ = try await sample.store.stored(question("b\(index)", by: bob.id))
        }
        let last = try await sample.store.history(of: alice.id, last: 3)
        #expect(last.map(\.question) == ["a3", "a4", "a5"])
        #expect(last.map(\.number) == [3, 4, 5])
        #expect(try await sample.store.history(of: alice.id, last: 100).count == 5)
        for none in [0, -1] { #expect(try await sample.store.history(of: alice.id, last: none).isEmpty) }
    }

    @Test func `a number is looked up among one's own only`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        _ = try await sample.store.stored(question("alice's", by: alice.id, place: privately))
        #expect(try await sample.store.exchange(number: 1, of: bob.id) == nil)
        #expect(try await sample.store.exchange(number: 2, of: alice.id) == nil)
        let found = try #require(try await sample.store.exchange(number: 1, of: alice.id))
        #expect(found.question == "alice's")
        #expect(found.channel == nil)
    }

    @Test func `context stays within account, network and place`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let bob = try await sample.account("bob")
        let elsewhere = NetworkName("elsewhere")
        for (text, account, network, place) in [
            ("here", alice, testnet, confab), ("bob's", bob, testnet, confab), ("private", alice, testnet, privately),
            ("channel", alice, testnet, other), ("network", alice, elsewhere, confab),
        ] {
            let id = try await sample.store.stored(
                question(text, by: account.id, network: network, place: place)
            ).id
            _ = try await sample.store.answer(id, with: completion("to \(text)"), model: "m", at: later)
        }
        let store = sample.store
        let here = try await store.context(of: alice.id, network: testnet, place: confab, limit: 9)
        #expect(here.map(\.question) == ["here"])
        #expect(here.map(\.answer) == ["to here"])
        let direct = try await store.context(of: alice.id, network: testnet, place: privately, limit: 9)
        #expect(direct.map(\.question) == ["private"])
    }

    @Test func `context follows the channel whatever case it is spelled in`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.answer(id, with: completion("!"), model: "m", at: later)
        let spelled = Place.channel(ChannelName("#CONFAB", .rfc1459))
        let context = try await sample.store.context(of: alice.id, network: testnet, place: spelled, limit: 1)
        #expect(context.count == 1)
    }

    @Test func `context has the latest turns that were answered, undelivered ones too, oldest first`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let store = sample.store
        for index in 1...3 {
            let id = try await store.stored(question("answered \(index)", by: alice.id)).id
            _ = try await store.answer(id, with: completion("\(index)"), model: "m", at: later)
        }
        let unsaid = try await store.stored(question("undelivered", by: alice.id)).id
        _ = try await store.answer(unsaid, with: completion("4"), model: "m", at: later)
        _ = try await store.markUndelivered(unsaid)
        let failed = try await store.stored(question("failed", by: alice.id)).id
        _ = try await store.fail(failed, kind: .interrupted, partial: "half", at: later)
        let interrupted = try await store.stored(question("interrupted", by: alice.id)).id
        _ = try await store.interrupt(interrupted, partial: "half")
        let empty = try await store.stored(question("empty", by: alice.id)).id
        _ = try await store.answer(empty, with: completion(""), model: "m", at: later)
        _ = try await store.stored(question("pending", by: alice.id))

        let context = try await store.context(of: alice.id, network: testnet, place: confab, limit: 3)
        #expect(context.map(\.question) == ["answered 2", "answered 3", "undelivered"])
        #expect(context.map(\.answer) == ["2", "3", "4"])
    }
}
