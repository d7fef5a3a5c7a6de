import Domain
import TestKit
import Testing

@testable import IRC

@Suite("Nicks that the server watches")
struct RelayWatchingTests {
    private let clock = ManualTime()

    private func enter(support: String) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, channels: [], clock: clock)
        let wire = try await server.connection()
        try await wire.welcome(support: "CHANTYPES=# \(support)")
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        return (bot, wire)
    }

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    private func watches(_ name: String, _ bot: LinkUnderTest) async throws -> Bool {
        await bot.link.watch(nick(name), on: try #require(bot.connection))
    }

    private func told(_ bot: LinkUnderTest) -> [ChatEvent.Kind] {
        bot.kinds.filter {
            switch $0 {
            case .watched, .unwatched: true
            default: false
            }
        }
    }

    @Test("whoever is there is told with their address, and their going once; whoever comes then is nobody's news")
    func comesAndGoes() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=30")
        #expect(try await watches("Alice[a]", bot))
        _ = try await wire.expect("MONITOR") { $0.raw == "MONITOR + Alice[a]" }
        wire.send(":irc.test 730 confab :alice{a}!u@home,other!u@h")
        let alice = Person(nick: nick("alice[a]"), user: "u", host: "home")
        #expect(await bot.sees { $0 == .watched(alice.nick, alice) })
        wire.send(":irc.test 731 confab :other,ALICE[a]")
        wire.send(":irc.test 730 confab :alice[a]!u@home")
        wire.send(":irc.test 731 confab :alice[a]")
        _ = try await wire.expect("MONITOR -") { $0.raw.hasPrefix("MONITOR - ") }
        try await wire.ping()
        #expect(await bot.sees { $0 == .unwatched(alice.nick) })
        #expect(told(bot).count == 2)
        await bot.quit(closing: wire)
    }

    @Test("someone who is there and comes again has left unseen")
    func again() async throws {
        let (bot, wire) = try await enter(support: "MONITOR")
        #expect(try await watches("alice", bot))
        wire.send(":irc.test 730 confab :alice")
        #expect(await bot.sees { $0 == .watched(nick("alice"), nil) })
        wire.send(":irc.test 730 confab :alice!u@home")
        #expect(await bot.sees { $0 == .unwatched(nick("alice")) })
        await bot.quit(closing: wire)
    }

    @Test("a list that is full, and a server that does not answer, watch nobody")
    func refused() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=30")
        for name in ["alice", "bob"] { #expect(try await watches(name, bot)) }
        _ = try await wire.expect("MONITOR") { $0.raw == "MONITOR + bob" }
        wire.send(":irc.test 734 confab 30 alice :Monitor list is full.")
        #expect(await bot.sees { $0 == .unwatched(nick("alice")) })
        #expect(!bot.kinds.contains(.unwatched(nick("bob"))))
        clock.advance(by: .seconds(11))
        #expect(await bot.sees { $0 == .unwatched(nick("bob")) })
        _ = try await wire.expect("MONITOR") { $0.raw == "MONITOR - bob" }
        await bot.quit(closing: wire)
    }

    @Test("one place in the server's list is the bot's own, and nobody is watched twice or where nothing watches")
    func limits() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=3")
        #expect(try await watches("alice", bot))
        #expect(try await !watches("ALICE", bot))
        #expect(try await watches("bob", bot))
        #expect(try await !watches("carol", bot))
        await bot.link.unwatch(nick("bob"), on: try #require(bot.connection))
        #expect(try await watches("carol", bot))
        _ = try await wire.expect("MONITOR") { $0.raw == "MONITOR + carol" }
        let lines = wire.lines.map(\.raw).filter { $0.hasPrefix("MONITOR") }
        #expect(lines == ["MONITOR + alice", "MONITOR + bob", "MONITOR - bob", "MONITOR + carol"])
        #expect(try await !watches("a,b", bot))
        await bot.quit(closing: wire)
        let (other, otherWire) = try await enter(support: "")
        #expect(try await !watches("alice", other))
        await other.quit(closing: otherWire)
    }

    @Test("people cannot make the bot ask without end")
    func pace() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=100")
        var asked = 0
        for number in 0..<20 where try await watches("guest\(number)", bot) { asked += 1 }
        #expect(asked == 10)
        clock.advance(by: .seconds(60))
        #expect(try await watches("late", bot))
        await bot.quit(closing: wire)
    }

    @Test("two nicks that another casemapping takes for one are not watched any more")
    func twins() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=30 CASEMAPPING=ascii")
        for name in ["a[", "a{", "bob"] {
            #expect(await bot.link.watch(Nick(name, .ascii), on: try #require(bot.connection)))
        }
        wire.send(":irc.test 730 confab :a[!u@h,a{!u@i,bob!u@j")
        wire.send(":irc.test 005 confab CASEMAPPING=rfc1459 :are supported by this server")
        #expect(await bot.sees { $0 == .unwatched(nick("a{")) })
        #expect(told(bot).count == 4)
        await bot.quit(closing: wire)
    }
}
