import Domain
import Testing

@testable import IRCProtocol

@Suite("The send queue")
struct SendQueueTests {
    private var queue = SendQueue(burst: 4, interval: .seconds(2))

    private func channel(_ name: String) -> Target { .channel(ChannelName(name, .rfc1459)) }
    private func nick(_ name: String) -> Target { .nick(Nick(name, .rfc1459)) }

    private mutating func say(_ texts: [String], to target: Target, id: Int = 0, at now: Duration = .zero)
        -> SendQueue.Admission
    {
        queue.enqueue(texts, as: .message, to: target, utterance: id, now: now)
    }

    private mutating func drain(at now: Duration) -> [String] {
        var lines: [String] = []
        while let line = queue.next(now: now) { lines.append(line.text) }
        return lines
    }

    /// Everything the queue gives from `start` on, by its own alarm clock.
    private mutating func drainAll(from start: Duration = .zero) -> [(at: Duration, line: SendQueue.Portion)] {
        var now = start
        var sent: [(at: Duration, line: SendQueue.Portion)] = []
        while let wait = queue.nextWake(now: now) {
            now += wait
            while let line = queue.next(now: now) { sent.append((now, line)) }
        }
        return sent
    }

    @Test("a burst goes at once, then a line each interval, and rest fills the burst again")
    mutating func pace() {
        #expect(say((1...7).map(String.init), to: channel("#c")) == .queued)
        #expect(drain(at: .zero) == (1...4).map { "PRIVMSG #c :\($0)" })
        #expect(queue.nextWake(now: .zero) == .seconds(2))
        #expect(drain(at: .milliseconds(1999)) == [])
        #expect(queue.nextWake(now: .milliseconds(1999)) == .milliseconds(1))
        #expect(drain(at: .seconds(2)) == ["PRIVMSG #c :5"])
        #expect(drain(at: .seconds(6)) == ["PRIVMSG #c :6", "PRIVMSG #c :7"])
        #expect(queue.nextWake(now: .seconds(6)) == nil && queue.isEmpty)
        #expect(say((1...7).map(String.init), to: channel("#c"), at: .seconds(600)) == .queued)
        #expect(drain(at: .seconds(600)).count == 4)
    }

    @Test("what is withdrawn leaves no gap, and what others wait for stays in its order")
    mutating func withdrawn() {
        #expect(say((1...6).map { "a\($0)" }, to: channel("#c"), id: 1) == .queued)
        #expect(say(["b1"], to: channel("#c"), id: 2) == .queued)
        #expect(say(["d1", "d2"], to: nick("dora"), id: 3) == .queued)
        #expect(drain(at: .zero).suffix(2) == ["PRIVMSG #c :a2", "PRIVMSG dora :d2"])
        queue.withdraw(1)
        queue.withdraw(1)
        queue.withdraw(99)
        #expect(drainAll(from: .zero).map(\.line.text) == ["PRIVMSG #c :b1"])
        #expect(queue.isEmpty)
        #expect(say(["e"], to: channel("#c"), id: 4) == .queued)
        queue.withdraw(4)
        #expect(queue.isEmpty && queue.nextWake(now: .seconds(9)) == nil)
    }

    @Test("a line over 200 bytes costs two")
    mutating func longLines() {
        let frame = "PRIVMSG #c :\r\n".utf8.count
        let short = String(repeating: "x", count: 200 - frame)
        #expect(say([short + "x", short + "x", short, short], to: channel("#c")) == .queued)
        #expect(drain(at: .zero).count == 2)
        #expect(drain(at: .seconds(2)).count == 1 && drain(at: .seconds(4)).count == 1)
    }

    @Test("a line that costs more than the bucket holds goes when it is full")
    mutating func tinyBurst() {
        queue = SendQueue(burst: 1, interval: .seconds(1))
        #expect(say(Array(repeating: String(repeating: "x", count: 300), count: 3), to: channel("#c")) == .queued)
        #expect(drainAll().map(\.at) == [.zero, .seconds(2), .seconds(4)])
    }

    @Test("an interval of zero sets no limit")
    mutating func unpaced() {
        queue = SendQueue(burst: 1, interval: .zero)
        #expect(say(Array(repeating: "x", count: 5000), to: channel("#c")) == .queued)
        #expect(drain(at: .zero).count == 5000)
    }

    @Test("targets take turns, so a long history delays nobody; one target's utterances stay in order")
    mutating func fairness() {
        _ = say((1...100).map { "h\($0)" }, to: nick("alice"), id: 1)
        _ = drain(at: .zero)
        _ = say(["a1", "a2"], to: channel("#a"), id: 2)
        _ = say(["b1"], to: channel("#b"), id: 3)
        _ = say(["a3"], to: channel("#A"), id: 4)
        let order = drainAll().prefix(8).map(\.line.text)
        #expect(
            order == [
                "PRIVMSG alice :h5", "PRIVMSG #a :a1", "PRIVMSG #b :b1", "PRIVMSG alice :h6", "PRIVMSG #a :a2",
                "PRIVMSG alice :h7", "PRIVMSG #a :a3", "PRIVMSG alice :h8",
            ])
    }

    @Test("each line tells whose it is, and the last of an utterance that it is the last")
    mutating func identities() {
        queue = SendQueue(burst: 10, interval: .seconds(2))
        _ = queue.enqueue(["1", "2"], as: .notice, to: nick("bob"), utterance: 7, now: .zero)
        _ = say(["3"], to: nick("bob"), id: 8)
        #expect(
            queue.next(now: .zero)
                == SendQueue.Portion("NOTICE bob :1", utterance: 7, isLast: false, target: nick("bob")))
        #expect(
            queue.next(now: .zero)
                == SendQueue.Portion("NOTICE bob :2", utterance: 7, isLast: true, target: nick("bob")))
        #expect(
            queue.next(now: .zero)
                == SendQueue.Portion("PRIVMSG bob :3", utterance: 8, isLast: true, target: nick("bob")))
        #expect(queue.next(now: .zero) == nil)
    }

    @Test("commands jump the queue at once; what is said waits for them, but not for a PONG")
    mutating func commands() {
        _ = say((1...10).map(String.init), to: channel("#c"))
        #expect(drain(at: .zero).count == 4)
        for _ in 1...50 { queue.enqueueCommand("PONG :x", isFree: true) }
        queue.enqueueCommand("NICK confab_")
        #expect(queue.nextWake(now: .zero) == .zero)
        #expect(drain(at: .zero).count == 51)
        #expect(queue.nextWake(now: .zero) == .seconds(4))
        queue.enqueueCommand("QUIT :bye")
        #expect(queue.next(now: .zero)?.text == "QUIT :bye")
    }

    @Test("a storm of commands silences the bot for a bounded time")
    mutating func debt() {
        for number in 1...1000 { queue.enqueueCommand("WHO #c\(number)") }
        _ = say(["x"], to: channel("#c"))
        #expect(drain(at: .zero).count == 1000)
        #expect(queue.nextWake(now: .zero).map { $0 <= .seconds(62) } == true)
    }

    @Test("an overload refuses a whole utterance and takes nothing of it")
    mutating func overload() {
        #expect(say([], to: channel("#c")) == .empty && queue.isEmpty)
        #expect(say(Array(repeating: "x", count: 399), to: channel("#c"), id: 1) == .queued)
        #expect(say(["y", "z"], to: channel("#c"), id: 2) == .full)
        #expect(say(["y"], to: channel("#c"), id: 3) == .queued)
        #expect(say(["y"], to: channel("#other"), id: 4) == .queued)
        #expect(queue.discardAll() == [1, 3, 4])
        for number in 0..<50 {
            #expect(say(Array(repeating: "x", count: 400), to: channel("#\(number)"), id: number) == .queued)
        }
        #expect(say(["y"], to: channel("#more")) == .full)
        #expect(queue.discard(channel("#0")) == [0])
        #expect(say(["y"], to: channel("#more")) == .queued)
    }

    @Test("a faster pace lets more wait for one target")
    mutating func fastPace() {
        queue = SendQueue(burst: 4, interval: .milliseconds(1))
        for number in 0..<1000 { #expect(say(["one", "two"], to: channel("#c"), id: number) == .queued) }
    }

    @Test("what waits for someone who left is forgotten, and nothing else")
    mutating func discard() {
        _ = say((1...5).map { "a\($0)" }, to: nick("alice"), id: 1)
        _ = say(["again"], to: nick("Alice"), id: 2)
        _ = say(["b1", "b2"], to: nick("bob"), id: 3)
        #expect(drain(at: .zero).count == 4)
        #expect(queue.discard(nick("ALICE")) == [1, 2])
        #expect(queue.discard(nick("alice")) == [] && queue.discard(nick("carol")) == [])
        #expect(queue.isEmpty)
        _ = say(["back"], to: nick("alice"), id: 4, at: .seconds(60))
        #expect(drain(at: .seconds(60)) == ["PRIVMSG alice :back"])
    }

    @Test("a lost connection forgets everything and names every utterance")
    mutating func discardAll() {
        _ = say((1...5).map(String.init), to: nick("alice"), id: 1)
        _ = say(["x"], to: channel("#c"), id: 2)
        queue.enqueueCommand("JOIN #c")
        #expect(Set(queue.discardAll()) == [1, 2])
        #expect(queue.isEmpty && queue.nextWake(now: .zero) == nil)
    }

    @Test("what waits for someone goes with them to their new nick, in its place")
    mutating func retarget() {
        queue = SendQueue(burst: 1, interval: .seconds(2))
        _ = say(["a1", "a2"], to: nick("alice"), id: 1)
        _ = say(["b1"], to: nick("bob"), id: 2)
        queue.retarget(nick("alice"), to: nick("Carol"))
        _ = say(["c"], to: nick("carol"), id: 3)
        queue.retarget(nick("nobody"), to: nick("dave"))
        let lines = drainAll().map(\.line.text)
        #expect(lines == ["PRIVMSG Carol :a1", "PRIVMSG bob :b1", "PRIVMSG Carol :a2", "PRIVMSG Carol :c"])
    }

    @Test("at a nick where something waits already, both wait in one queue")
    mutating func retargetOnto() {
        _ = say(["a1"], to: nick("alice"), id: 1)
        _ = say(["b1", "b2"], to: nick("bob"), id: 2)
        queue.retarget(nick("alice"), to: nick("bob"))
        queue.retarget(nick("bob"), to: nick("BOB"))
        #expect(drain(at: .zero) == ["PRIVMSG BOB :b1", "PRIVMSG BOB :b2", "PRIVMSG BOB :a1"])
        #expect(queue.isEmpty && queue.discardAll() == [])
    }

    @Test("a change of casemapping loses nothing, and what waits for two who became one goes in one queue")
    mutating func remapped() {
        queue = SendQueue(burst: 1, interval: .seconds(2))
        let ascii = { (name: String) in Target.nick(Nick(name, .ascii)) }
        _ = say(["a1", "a2"], to: ascii("a[b"), id: 1)
        _ = say(["b1"], to: ascii("bob"), id: 2)
        _ = say(["c1"], to: ascii("A{B"), id: 3)
        queue.remap(.rfc1459)
        _ = say(["a3"], to: nick("A[b"), id: 4)
        #expect(queue.discard(nick("bob")) == [2])
        let lines = drainAll().map(\.line.text)
        #expect(lines == ["PRIVMSG a[b :a1", "PRIVMSG a[b :a2", "PRIVMSG a[b :c1", "PRIVMSG a[b :a3"])
        #expect(queue.isEmpty)
    }

    @Test("what is for the operators of a channel goes to them, follows the channel's name, and goes with the channel")
    mutating func ranks() {
        let lobby = ChannelName("#lobby", .rfc1459)
        let parlour = ChannelName("#parlour", .rfc1459)
        _ = say(["ops"], to: .ranks("@", lobby), id: 1)
        _ = say(["all"], to: .channel(lobby), id: 2)
        queue.retarget(in: lobby, to: parlour)
        #expect(drain(at: .zero) == ["PRIVMSG @#parlour :ops", "PRIVMSG #parlour :all"])
        _ = say(["ops"], to: .ranks("@", lobby), id: 3)
        _ = say(["all"], to: .channel(lobby), id: 4)
        _ = say(["x"], to: nick("alice"), id: 5)
        #expect(queue.discard(in: lobby) == [3, 4])
        #expect(drain(at: .seconds(60)) == ["PRIVMSG alice :x"])
    }

    @Test("a long history may take its time, but who gets no line out for five minutes loses what waits")
    mutating func expiry() {
        _ = say(Array(repeating: "h", count: 300), to: nick("alice"), id: 1)
        var now = Duration.zero
        while let wait = queue.nextWake(now: now) {
            now += wait
            #expect(queue.expire(now: now) == [])
            _ = drain(at: now)
        }
        #expect(now > .seconds(590))
        _ = say(["x", "y"], to: nick("alice"), id: 2, at: now)
        _ = say(["z"], to: channel("#c"), id: 3, at: now + .seconds(10))
        #expect(queue.expire(now: now + .seconds(299)) == [])
        #expect(queue.expire(now: now + .seconds(300)) == [2])
        #expect(queue.expire(now: now + .seconds(310)) == [3])
        #expect(queue.isEmpty)
    }
}
