import Domain
import Testing

@testable import IRCProtocol

@Suite("What is played back")
struct ReplayFilterTests {
    private func line(_ text: String) throws -> IRCMessage { try #require(IRCMessage(text)) }

    private func isPlayedBack(_ filter: ReplayFilter, _ text: String, at now: Duration = .seconds(1)) throws -> Bool {
        filter.isPlayedBack(try line(text), at: now)
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

    @Test(
        "is known by the server's own time shortly after the bot came, whatever our clock says and however far off it is",
        arguments: ["2026-11-30T12:00:00.000Z", "1970-01-01T00:10:00.000Z", "9999-12-31T23:59:59.999Z"])
    func window(came: String) throws {
        var filter = ReplayFilter()
        filter.came(by: try line("@time=\(came) 001 bot :hi"), at: .zero)
        #expect(try !isPlayedBack(filter, "@time=\(came) :a!b@c PRIVMSG x :y"))
        #expect(try !isPlayedBack(filter, ":a!b@c PRIVMSG x :y"))
        #expect(try !isPlayedBack(filter, "@time=nonsense :a!b@c PRIVMSG x :y"))
        let before = "@time=1969-12-31T23:59:00.000Z :a!b@c PRIVMSG x :y"
        #expect(try isPlayedBack(filter, before))
        // Once somebody has spoken, the server's clock may step back.
        var later = filter
        later.takeLive(try line(before), at: .seconds(1))
        #expect(try isPlayedBack(later, before))
        later.takeLive(try line("@time=\(came) :a!b@c JOIN #x"), at: .seconds(1))
        #expect(try !isPlayedBack(later, before, at: .seconds(2)))
        // Later on a clock that steps back, the server's or its neighbour's, makes nobody deaf.
        #expect(try !isPlayedBack(filter, before, at: ReplayFilter.window))
    }

    @Test("is not known by time where the line by which the bot came tells none")
    func untimed() throws {
        var filter = ReplayFilter()
        filter.came(by: try line("001 bot :hi"), at: .zero)
        #expect(try !isPlayedBack(filter, "@time=2020-01-01T00:00:00.000Z :a!b@c PRIVMSG x :y"))
    }

    @Test("is known by its batch, history in it too, and live lines again when that has ended")
    func batches() throws {
        var filter = ReplayFilter()
        filter.batch(try line(":s BATCH +h chathistory #x"))
        filter.batch(try line("@batch=h :s BATCH +inner netjoin a b"))
        filter.batch(try line(":s BATCH +n netsplit a b"))
        filter.batch(try line(":s BATCH +z znc.in/playback #x"))
        for batch in ["h", "inner", "n", "z", "unknown"] {
            #expect(try isPlayedBack(filter, "@batch=\(batch) :a!b@c PRIVMSG x :y"), "\(batch)")
        }
        let past = try ["h", "inner", "n", "z", "unknown"].filter {
            filter.isPast(try line("@batch=\($0) :a!b@c QUIT"))
        }
        #expect(past == ["h", "inner", "z"])
        filter.batch(try line(":s BATCH -h"))
        #expect(!filter.isPast(try line("@batch=h :a!b@c QUIT")))
        #expect(try !isPlayedBack(filter, ":a!b@c PRIVMSG x :y"))
    }

    @Test("is known in a crowd of batches that are never closed: the latest count")
    func crowd() throws {
        var filter = ReplayFilter()
        for number in 0..<1000 { filter.batch(try line(":s BATCH +\(number) chathistory #x")) }
        #expect(filter.isPast(try line("@batch=999 :a!b@c JOIN #x")))
        #expect(!filter.isPast(try line("@batch=0 :a!b@c JOIN #x")))
    }

    @Test("is known by ZNC's marks around it, for a while where the closing one never comes")
    func marks() throws {
        var filter = ReplayFilter()
        let said = ":alice!a@home PRIVMSG #x :hello"
        #expect(filter.mark(try line(":***!znc@znc.in PRIVMSG #x :Buffer Playback..."), at: .zero))
        #expect(try isPlayedBack(filter, said))
        #expect(try !isPlayedBack(filter, ":alice!a@home PRIVMSG #y :hello"))
        #expect(filter.mark(try line(":***!znc@znc.in PRIVMSG #x :Playback Complete."), at: .zero))
        #expect(try !isPlayedBack(filter, said))
        #expect(filter.mark(try line(":***!znc@znc.in PRIVMSG #x :Pufferwiedergabe..."), at: .zero))
        #expect(try isPlayedBack(filter, said))
        #expect(try !isPlayedBack(filter, said, at: .seconds(60)))
        #expect(!filter.mark(try line(":mallory!znc@znc.in PRIVMSG #x :Buffer Playback..."), at: .zero))
    }

    @Test("is known by a stamp in front, shortly after the bot came")
    func stamps() throws {
        var filter = ReplayFilter()
        filter.came(by: try line("001 bot :hi"), at: .zero)
        #expect(try isPlayedBack(filter, ":alice!a@home PRIVMSG bot :[09:30:59] hello"))
        #expect(try !isPlayedBack(filter, ":alice!a@home PRIVMSG bot :[09:30] hello"))
        #expect(try !isPlayedBack(filter, ":alice!a@home PRIVMSG bot :[09:30:59] hello", at: .seconds(31)))
    }
}
