import Domain
import Testing

@testable import IRC

@Suite("What is played back")
struct ReplayFilterTests {
    private static let noon = Timestamp(milliseconds: 1_796_040_000_000)

    private func verdict(_ filter: ReplayFilter, _ line: String, at wall: Timestamp = noon) throws
        -> ReplayFilter.Verdict
    {
        filter.verdict(try #require(IRCMessage(line)), wall: wall)
    }

    @Test("server-time is read to the millisecond, over leap days and years")
    func time() {
        let times =
            [
                "1970-01-01T00:00:00.000Z": 0, "2026-11-30T12:00:00.000Z": 1_796_040_000_000,
                "2024-02-29T23:59:59.999Z": 1_709_251_199_999, "2024-03-01T00:00:00Z": 1_709_251_200_000,
                "2000-12-31T00:00:00.5Z": 978_220_800_000,
            ] as [String: Int64]
        for (text, milliseconds) in times {
            #expect(Timestamp(serverTime: text)?.milliseconds == milliseconds, "\(text)")
        }
        for text in ["", "yesterday", "2026-13-01T00:00:00.000Z", "2026-11-30 12:00", "xxxx-xx-xxTxx:xx:xx.xxxZ"] {
            #expect(Timestamp(serverTime: text) == nil)
        }
    }

    @Test("a line older than a minute is a replay, one of now or without a time is live")
    func age() throws {
        let filter = ReplayFilter()
        #expect(try verdict(filter, ":a!b@c PRIVMSG x :y") == .live)
        #expect(try verdict(filter, "@time=2026-11-30T11:59:01.000Z :a!b@c PRIVMSG x :y") == .live)
        #expect(try verdict(filter, "@time=2026-11-30T11:58:59.000Z :a!b@c PRIVMSG x :y") == .replay)
        #expect(try verdict(filter, "@time=nonsense :a!b@c PRIVMSG x :y") == .live)
    }

    @Test("a server whose clock is an hour off is measured on its welcome")
    func skew() throws {
        var filter = ReplayFilter()
        filter.calibrate(try #require(IRCMessage("@time=2026-11-30T11:00:00.000Z 001 bot :hi")), wall: Self.noon)
        #expect(try verdict(filter, "@time=2026-11-30T11:00:00.000Z :a!b@c PRIVMSG x :y") == .live)
        #expect(try verdict(filter, "@time=2026-11-30T10:58:00.000Z :a!b@c PRIVMSG x :y") == .replay)
    }

    @Test("history is a replay, a netsplit tells only who is there, and both end with their batch")
    func batches() throws {
        var filter = ReplayFilter()
        filter.batch(try #require(IRCMessage(":s BATCH +h chathistory #x")))
        filter.batch(try #require(IRCMessage("@batch=h :s BATCH +inner netjoin a b")))
        filter.batch(try #require(IRCMessage(":s BATCH +n netsplit a b")))
        #expect(try verdict(filter, "@batch=h :a!b@c PRIVMSG x :y") == .replay)
        #expect(try verdict(filter, "@batch=inner :a!b@c JOIN x") == .replay)
        #expect(try verdict(filter, "@batch=n :a!b@c QUIT") == .membership)
        #expect(try verdict(filter, "@batch=unknown :a!b@c PRIVMSG x :y") == .replay)
        filter.batch(try #require(IRCMessage(":s BATCH -n")))
        #expect(try verdict(filter, "@batch=n :a!b@c QUIT") == .replay)
        #expect(try verdict(filter, ":a!b@c PRIVMSG x :y") == .live)
    }
}
