import Domain
import Testing

@testable import IRCProtocol

@Suite("Messages of several lines in the send queue")
struct SendQueueMultilineTests {
    private var queue = SendQueue(burst: 4, interval: .seconds(2))
    private let lobby = Target.channel(ChannelName("#lobby", .rfc1459))
    private let alice = Target.nick(Nick("alice", .rfc1459))

    init() { queue.multiline = MultilineLimits("max-bytes=4096,max-lines=8") }

    private func lines(_ portion: SendQueue.Portion?) -> [String] {
        portion?.lines.map { ($0.tags.isEmpty ? "" : "@\($0.tags) ") + $0.text } ?? []
    }

    private func numbered(_ count: Int, _ letter: String = "") -> [String] { (1...count).map { "\(letter)\($0)" } }

    @Test("an utterance goes as one batch, a single line as itself, and each batch has a name of its own")
    mutating func batches() {
        _ = queue.enqueue(["a", "b"], as: .notice, to: alice, utterance: 1, now: .zero)
        let batch = queue.next(now: .zero)
        #expect(
            lines(batch) == [
                "BATCH +1 draft/multiline alice", "@batch=1 NOTICE alice :a", "@batch=1 NOTICE alice :b", "BATCH -1",
            ])
        #expect(batch?.utterance == 1 && batch?.isLast == true && batch?.target == alice && batch?.isBatch == true)
        _ = queue.enqueue(["c"], as: .message, to: lobby, utterance: 2, now: .seconds(60))
        #expect(lines(queue.next(now: .seconds(60))) == ["PRIVMSG #lobby :c"])
        _ = queue.enqueue(["d", "e"], as: .message, to: lobby, utterance: 3, now: .seconds(120))
        #expect(lines(queue.next(now: .seconds(120))).first == "BATCH +2 draft/multiline #lobby")
        #expect(queue.isEmpty)
    }

    @Test("what is longer than the server takes goes in several, and only the last one completes the utterance")
    mutating func limits() {
        queue.multiline = MultilineLimits("max-bytes=9,max-lines=3")
        // Seven bytes and two line ends; then what has no room for a second one.
        _ = queue.enqueue(["aaa", "bb", "cc", "dddddd", "eee"], as: .message, to: lobby, utterance: 1, now: .zero)
        let first = queue.next(now: .zero)
        #expect(first?.lines.count == 5 && first?.isLast == false)
        #expect(lines(queue.next(now: .seconds(60))) == ["PRIVMSG #lobby :dddddd"])
        let last = queue.next(now: .seconds(120))
        #expect(lines(last) == ["PRIVMSG #lobby :eee"] && last?.isLast == true)
        queue.multiline = MultilineLimits("max-bytes=4096,max-lines=2")
        _ = queue.enqueue(numbered(3), as: .message, to: lobby, utterance: 2, now: .seconds(180))
        #expect(queue.next(now: .seconds(180))?.lines.count == 4)
    }

    @Test("a batch costs what its lines cost: it waits for a rested connection, and what follows waits for it")
    mutating func pace() {
        _ = queue.enqueue(["x"], as: .message, to: lobby, utterance: 1, now: .zero)
        _ = queue.enqueue(numbered(8), as: .message, to: alice, utterance: 2, now: .zero)
        _ = queue.enqueue(["y"], as: .message, to: lobby, utterance: 3, now: .zero)
        #expect(queue.next(now: .zero)?.utterance == 1)
        #expect(queue.nextWake(now: .zero) == .seconds(2) && queue.next(now: .milliseconds(1999)) == nil)
        #expect(queue.next(now: .seconds(2))?.isBatch == true)
        #expect(queue.nextWake(now: .seconds(2)) == .seconds(10))
        #expect(queue.next(now: .seconds(12))?.utterance == 3)
    }

    @Test("where a batch would keep others waiting for long, it goes line by line, and they have their turns")
    mutating func fairness() {
        let full = String(repeating: "x", count: 450)
        for _ in 1...2 {
            _ = queue.enqueue(Array(repeating: full, count: 8), as: .message, to: alice, utterance: 1, now: .zero)
        }
        _ = queue.enqueue(["quick", "question"], as: .message, to: lobby, utterance: 2, now: .zero)
        #expect(queue.next(now: .zero)?.isBatch == true)
        var now = Duration.zero
        var portions: [SendQueue.Portion] = []
        while let wait = queue.nextWake(now: now) {
            #expect(wait <= SendQueue.maxPause)
            now += wait
            while let portion = queue.next(now: now) { portions.append(portion) }
        }
        #expect(portions.first?.utterance == 2 && portions.first?.isBatch == true)
        #expect(portions.contains { $0.utterance == 1 && !$0.isBatch })
    }

    @Test("a server that takes none any more gets the rest line by line")
    mutating func withdrawnOffer() {
        _ = queue.enqueue(numbered(12), as: .message, to: lobby, utterance: 1, now: .zero)
        #expect(queue.next(now: .zero)?.lines.count == 10)
        queue.multiline = nil
        var rest: [String] = []
        var now = Duration.zero
        while let wait = queue.nextWake(now: now) {
            now += wait
            while let portion = queue.next(now: now) { rest += lines(portion) }
        }
        #expect(rest == (9...12).map { "PRIVMSG #lobby :\($0)" })
    }

    @Test("what waits for someone who left is forgotten whole, and a batch follows a change of nick")
    mutating func changes() {
        _ = queue.enqueue(numbered(12), as: .message, to: alice, utterance: 1, now: .zero)
        _ = queue.next(now: .zero)
        queue.retarget(alice, to: .nick(Nick("carol", .rfc1459)))
        #expect(lines(queue.next(now: .seconds(60))).first == "BATCH +2 draft/multiline carol")
        _ = queue.enqueue(numbered(12), as: .message, to: alice, utterance: 2, now: .seconds(60))
        #expect(queue.discard(alice) == [2])
        #expect(queue.next(now: .seconds(600)) == nil && queue.isEmpty)
    }
}

extension SendQueue.Portion {
    init(_ text: String, utterance: Int?, isLast: Bool, target: Target?) {
        self.init(lines: [TaggedLine(text: text)], utterance: utterance, isLast: isLast, target: target)
    }

    /// Of a portion of one line.
    var text: String { lines[0].text }
}
