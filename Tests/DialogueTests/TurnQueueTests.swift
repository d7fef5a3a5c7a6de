import Domain
import Testing

@testable import Dialogue

@Suite struct TurnQueueTests {
    private let alice = Asker(AccountID(1))
    private let bob = Asker(AccountID(2))

    private func turn(_ number: UInt64) -> TurnID { TurnID(number: number) }

    @Test func `one turn of an account is under way, three wait, the next is refused`() {
        var queue = TurnQueue(limits: .init(inFlight: 8))
        #expect(queue.admit(turn(1), of: alice) == .starts)
        for number in 2...4 { #expect(queue.admit(turn(UInt64(number)), of: alice) == .waits) }
        #expect(queue.admit(turn(5), of: alice) == .refusedOwn)
        #expect(queue.admit(turn(6), of: bob) == .starts)
    }

    @Test func `a place at the API is free when the answer is there, the account only when it was said`() {
        var queue = TurnQueue(limits: .init(inFlight: 1))
        #expect(queue.admit(turn(1), of: alice) == .starts)
        #expect(queue.admit(turn(2), of: alice) == .waits)
        #expect(queue.admit(turn(3), of: bob) == .waits)
        #expect(queue.answered(turn(1)) == [turn(3)])
        #expect(queue.answered(turn(3)) == [])
        #expect(queue.finished(turn(3), of: bob) == [])
        #expect(queue.finished(turn(1), of: alice) == [turn(2)])
        #expect(queue.finished(turn(2), of: alice) == [])
        #expect(queue.isIdle)
    }

    @Test func `whoever came first starts first`() {
        var queue = TurnQueue(limits: .init(inFlight: 1))
        for number in 1...5 { _ = queue.admit(turn(UInt64(number)), of: Asker(AccountID(Int64(number)))) }
        var order: [UInt64] = [1]
        while order.count < 5 {
            let last = order[order.count - 1]
            order += queue.finished(turn(last), of: Asker(AccountID(Int64(last)))).map(\.number)
        }
        #expect(order == [1, 2, 3, 4, 5])
    }

    @Test func `at most the configured number is at the API, and a bounded number waits in all`() {
        var queue = TurnQueue(limits: .init(inFlight: 100))
        let admissions = (1...1000).map { queue.admit(turn($0), of: Asker(AccountID(Int64($0)))) }
        #expect(admissions.count { $0 == .starts } == 100)
        #expect(admissions.count { $0 == .waits } == 400)
        #expect(admissions.last == .refusedAll)
    }

    @Test func `a turn given up while it waited frees nobody else's place`() {
        var queue = TurnQueue(limits: .init(inFlight: 1))
        _ = queue.admit(turn(1), of: alice)
        _ = queue.admit(turn(2), of: alice)
        #expect(queue.clearWaiting() == [turn(2)])
        #expect(queue.finished(turn(2), of: alice) == [])
        #expect(queue.admit(turn(3), of: alice) == .waits)
    }

    @Test func `a channel has its own places at the API and for waiting, and others start past it`() {
        var limits = TurnQueue.Limits(inFlight: 8)
        limits.inFlightPerChannel = 1
        limits.waitingPerChannel = 1
        var queue = TurnQueue(limits: limits)
        let busy = TurnQueue.Channel(network: NetworkName("net"), name: ChannelName("#Busy", .ascii))
        let same = TurnQueue.Channel(network: NetworkName("net"), name: ChannelName("#busy", .ascii))
        let carol = Asker(AccountID(3))
        #expect(queue.admit(turn(1), of: alice, in: busy) == .starts)
        #expect(queue.admit(turn(2), of: bob, in: same) == .waits)
        #expect(queue.admit(turn(3), of: carol, in: busy) == .refusedChannel)
        #expect(queue.admit(turn(4), of: carol) == .starts)
        #expect(queue.answered(turn(4)) == [])
        #expect(queue.answered(turn(1)) == [turn(2)])
        #expect(queue.finished(turn(4), of: carol) == [])
        #expect(queue.admit(turn(5), of: carol, in: busy) == .waits)
        #expect(queue.finished(turn(2), of: bob) == [turn(5)])
    }
}
