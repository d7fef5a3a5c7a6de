import Domain
import Runtime
import Synchronization
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol
@testable import Network

/// Lines of whoever wants to be asked before they are written.
@Suite struct ClearanceTests {
    /// What the outbox asked and wrote, in order.
    private final class Record: Sendable {
        private let events = Mutex<[String]>([])

        var all: [String] { events.withLock { $0 } }

        func note(_ event: String) { events.withLock { $0.append(event) } }
    }

    private let clock = ManualTime()
    private let record = Record()
    private let channel = Target.channel(ChannelName("#a", .ascii))

    @NetworkThread private func outbox() -> Outbox {
        let outbox = Outbox(pace: Pace(burst: 2, interval: .seconds(2)), time: clock.time)
        outbox.onPortion = { [record] portion, _ in
            for line in portion.lines { record.note(String(line.text.suffix(1))) }
        }
        return outbox
    }

    private func clearance(_ atOnce: Int, _ name: String = "ask") -> Clearance {
        Clearance(atOnce: atOnce) { [record] in record.note("\(name) \($0)") }
    }

    @Test func `each line that waits is cleared before it is written, and those that go at once are not asked for`()
        async throws
    {
        let outbox = await outbox()
        #expect(await outbox.atOnce(of: ["1", "2", "3", "4"], as: .message, to: channel) == 2)
        async let delivery = outbox.say(["1", "2", "3", "4"], as: .message, to: channel, by: clearance(2))
        #expect(await eventually { record.all == ["1", "2"] })
        #expect(await outbox.atOnce(of: ["5"], as: .message, to: channel) == 0)
        #expect(await clock.turn { record.all.count == 6 })
        #expect(await delivery == .sent)
        #expect(record.all == ["1", "2", "ask 3", "3", "ask 4", "4"])
    }

    @Test func `what was to go at once and has to wait is said to`() async throws {
        let outbox = await outbox()
        async let first = outbox.say(["1", "2", "3"], as: .message, to: channel)
        #expect(await eventually { record.all == ["1", "2"] })
        async let second = outbox.say(["4"], as: .message, to: channel, by: clearance(1))
        #expect(await eventually { record.all.last == "ask 0" })
        #expect(await clock.turn { record.all.count == 6 })
        #expect(await first == .sent)
        #expect(await second == .sent)
        #expect(record.all == ["1", "2", "ask 0", "3", "ask 1", "4"])
    }

    @Test func `what is taken back while it is asked for is not written, and others go on`() async throws {
        let outbox = await outbox()
        let gate = AsyncStream.makeStream(of: Void.self)
        let slow = Clearance(atOnce: 0) { [record] _ in
            record.note("asked")
            for await _ in gate.stream { return }
        }
        let bob = Target.nick(Nick("bob", .ascii))
        async let lost = outbox.say(["1"], as: .notice, to: bob, by: slow)
        #expect(await eventually { record.all == ["asked"] })
        async let other = outbox.say(["2"], as: .message, to: channel)
        await outbox.command("PONG x")
        await outbox.discard(for: bob)
        gate.continuation.yield()
        #expect(await lost == .undelivered(.discarded))
        #expect(await other == .sent)
        #expect(record.all == ["asked", "x", "2"])
    }
}
