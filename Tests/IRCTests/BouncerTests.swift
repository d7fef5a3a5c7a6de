import Domain
import IRC
import IRCProtocol
import TestKit
import Testing

/// A bouncer keeps the bot's connection while its own to the network is lost and comes back.
@Suite("Behind a bouncer", .timeLimit(.minutes(2)))
struct BouncerTests {
    private let clock = ManualTime()
    private let server: ScriptedIRCServer
    private let bot: LinkUnderTest

    init() throws {
        server = try ScriptedIRCServer()
        bot = LinkUnderTest(
            port: server.port, channels: [ChannelSettings(name: "#lobby"), ChannelSettings(name: "#home")], clock: clock
        )
    }

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    private func enter() async throws -> LineConnection {
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "message-tags", support: "CHANTYPES=# MONITOR=100 NICKLEN=30")
        for channel in ["#lobby", "#home"] { try await wire.admit("confab", to: channel, with: ["alice"]) }
        #expect(await bot.seesTwice { if case .members = $0 { true } else { false } })
        return wire
    }

    private func entered(_ channel: String) -> Int {
        bot.kinds.count { $0 == .entered(ChannelName(channel, .rfc1459)) }
    }

    @Test(
        "a second welcome, the bot's own JOIN where it is, or its QUIT begin everything anew",
        arguments: [
            ":irc.test 001 confab :Welcome back", ":confab!confab@bot.test JOIN #lobby",
            ":confab!confab@bot.test QUIT :gone",
        ])
    func anew(sign: String) async throws {
        let wire = try await enter()
        let former = try #require(bot.connection)
        #expect(await bot.link.watch(nick("carol"), on: former))
        wire.skipToEnd()
        wire.send(sign)
        #expect(await bot.sees { if case .offline = $0 { true } else { false } })
        #expect(await eventually { bot.connection != nil && bot.connection != former })
        _ = try await wire.expect("NAMES #home") { $0.raw == "NAMES #home" }
        // Nothing that was for somebody on the former one is said, and nobody is watched for it.
        let late = Utterance(on: former, to: .nick(nick("alice")), form: .notice, lines: ["your secret"])
        #expect(await bot.link.speak(late) == .undelivered(.offline))
        wire.send(":irc.test 730 confab :carol!c@c")
        try await wire.ping()
        #expect(!bot.kinds.contains { if case .watched = $0 { true } else { false } })
        // Where the server says nothing to a JOIN, since the bot is there, the list of names tells.
        wire.send(":irc.test 353 confab = #home :confab alice")
        wire.send(":irc.test 366 confab #home :End")
        #expect(await eventually { entered("#home") == 2 })
        wire.send(":alice!a@home PRIVMSG #home :hello again")
        #expect(await bot.hears("hello again"))
        #expect(bot.log.lines.contains { $0.contains("begins anew") })
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }

    @Test("the second welcome's nick is the bot's, and whoever has the former one is somebody else")
    func otherNick() async throws {
        let wire = try await enter()
        wire.send(":irc.test 001 confab_ :Welcome back")
        #expect(await bot.sees { $0 == .online(nick: nick("confab_"), mapping: .rfc1459) })
        wire.send(":confab!m@m PRIVMSG #lobby :I am not the bot")
        wire.send(":alice!a@home PRIVMSG confab :not for the bot")
        wire.send(":alice!a@home PRIVMSG confab_ :for the bot")
        #expect(await bot.hears("for the bot"))
        #expect(bot.messages.map(\.text) == ["I am not the bot", "for the bot"])
        await bot.quit(closing: wire)
    }

    @Test("what waits to be said when the network comes back is not said, and the bot speaks on")
    func waiting() async throws {
        let wire = try await enter()
        let alice = nick("alice")
        // More than goes out at once.
        async let said = bot.say((1...40).map { "line \($0)" }, to: alice, form: .notice)
        _ = try await wire.expect("the first line") { $0.text == "line 1" }
        wire.send(":irc.test 001 confab :Welcome back")
        #expect(await said == .undelivered(.offline))
        #expect(await eventually { bot.kinds.count { if case .online = $0 { true } else { false } } == 2 })
        async let again = bot.say(["afterwards"], to: alice, form: .notice)
        #expect(await clock.turn { wire.lines.contains { $0.text == "afterwards" } })
        #expect(await again == .sent)
        #expect(!wire.lines.contains { $0.text == "line 40" })
        await bot.quit(closing: wire)
    }

    @Test("a bouncer that loses its network a hundred times in a breath costs no flood of JOINs")
    func often() async throws {
        let wire = try await enter()
        let before = wire.count
        for _ in 0..<100 { wire.send(":confab!confab@bot.test JOIN #lobby") }
        try await wire.ping()
        #expect(wire.count - before < 20, "\(wire.lines.suffix(10))")
        #expect(await clock.turn { wire.lines.dropFirst(before).contains { $0.raw == "JOIN #home" } })
        await bot.quit(closing: wire)
    }
}

extension LinkUnderTest {
    fileprivate func seesTwice(_ isMeant: @escaping @Sendable (ChatEvent.Kind) -> Bool) async -> Bool {
        await eventually { self.kinds.count(where: isMeant) == 2 }
    }
}
