import Domain
import Testing

@testable import IRCProtocol

/// What goes first where not all can be said at once.
@Suite struct SendQueueUrgencyTests {
    private static func nick(_ name: String) -> Target { .nick(Nick(name, .rfc1459)) }
    private static let channel = Target.channel(ChannelName("#c", .rfc1459))

    /// Everything the queue gives, by its own alarm clock: who got each line.
    private static func order(_ queue: inout SendQueue, upTo count: Int = 10_000) -> [String] {
        var now = Duration.zero
        var order: [String] = []
        while let wait = queue.nextWake(now: now), order.count < count {
            now += wait
            while order.count < count, let portion = queue.next(now: now) {
                order.append(portion.target?.spelling ?? "")
            }
        }
        return order
    }

    private static func say(
        _ count: Int, to target: Target, _ urgency: Utterance.Urgency, _ queue: inout SendQueue
    ) {
        let admission = queue.enqueue(
            Array(repeating: "x", count: count), as: .notice, to: target, utterance: 1, urgency: urgency, now: .zero)
        #expect(admission == .queued)
    }

    @Test func `answers go first, then notices to members, then listings, then notices to strangers`() {
        var queue = SendQueue(burst: 4, interval: .seconds(2))
        Self.say(2, to: Self.nick("stranger"), .stranger, &queue)
        Self.say(2, to: Self.nick("reader"), .listing, &queue)
        Self.say(2, to: Self.nick("member"), .notice, &queue)
        Self.say(2, to: Self.channel, .answer, &queue)
        let order = Self.order(&queue)
        #expect(order == ["#c", "#c", "member", "member", "reader", "reader", "stranger", "stranger"])
        #expect(queue.isEmpty)
    }

    @Test func `twenty strangers' hundreds of lines delay a member's answer by none`() {
        var queue = SendQueue(burst: 4, interval: .seconds(2))
        for number in 1...20 { Self.say(12, to: Self.nick("s\(number)"), .stranger, &queue) }
        Self.say(8, to: Self.channel, .answer, &queue)
        let first = Self.order(&queue, upTo: 8)
        #expect(first == Array(repeating: "#c", count: 8))
    }

    @Test func `a listing waits as long as there is an answer, whatever it is for`() {
        var queue = SendQueue(burst: 4, interval: .seconds(2))
        Self.say(200, to: Self.nick("alice"), .listing, &queue)
        Self.say(100, to: Self.nick("bob"), .answer, &queue)
        Self.say(100, to: Self.nick("alice"), .answer, &queue)
        let answers = Self.order(&queue, upTo: 200)
        #expect(answers.count { $0 == "bob" } == 100)
        #expect(queue.lineCount == 200)
        let listing = Self.order(&queue)
        #expect(listing == Array(repeating: "alice", count: 200))
    }

    @Test func `notices are not starved by answers, nor strangers by members`() {
        var queue = SendQueue(burst: 4, interval: .seconds(2))
        Self.say(300, to: Self.channel, .answer, &queue)
        Self.say(100, to: Self.nick("member"), .notice, &queue)
        Self.say(100, to: Self.nick("stranger"), .stranger, &queue)
        let order = Self.order(&queue, upTo: 90)
        #expect(order.count { $0 == "member" } >= 15)
        #expect(order.count { $0 == "stranger" } >= 8)
        #expect(order.count { $0 == "#c" } >= 60)
    }

    @Test func `what waits in every urgency follows a nick, and is forgotten together`() {
        var queue = SendQueue(burst: 1, interval: .seconds(2))
        Self.say(1, to: Self.nick("other"), .answer, &queue)
        _ = queue.next(now: .zero)
        for urgency in Utterance.Urgency.allCases { Self.say(1, to: Self.nick("alice"), urgency, &queue) }
        queue.retarget(Self.nick("alice"), to: Self.nick("carol"))
        let former = queue.discard(Self.nick("alice"))
        let moved = queue.discard(Self.nick("carol"))
        #expect(former.isEmpty && moved.count == Utterance.Urgency.allCases.count)
        #expect(queue.isEmpty)
    }
}
