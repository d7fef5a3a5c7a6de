import Domain
import Runtime
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol

@Suite("Channels and who is in them")
struct RelayChannelsTests {
    private let clock = ManualTime()

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }
    private func channel(_ name: String) -> ChannelName { ChannelName(name, .rfc1459) }

    private func enter(
        channels: [String] = ["#lobby"], capabilities: String = "", support: String = "CHANTYPES=# PREFIX=(ov)@+"
    ) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, channels: channels.map { ChannelSettings(name: $0) }, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: capabilities, support: support)
        return (bot, wire)
    }

    // MARK: WHO and MODE

    @Test("WHOX tells accounts, addresses and bots, one channel after the other with a pause between")
    func whox() async throws {
        let (bot, wire) = try await enter(
            channels: ["#a", "#b"], capabilities: "account-tag message-tags",
            support: "CHANTYPES=# PREFIX=(ov)@+ WHOX BOT=B")
        try await wire.admit("confab", to: "#a", with: ["alice"])
        try await wire.admit("confab", to: "#b", with: ["alice"])
        _ = try await wire.expect("WHO") { $0.raw == "WHO #a %tcuhnaf,77" }
        try await wire.ping()
        #expect(wire.lines.filter { $0.command == "WHO" }.count == 1)
        for line in [
            "354 confab 77 #a al home alice H@ al", "354 confab 77 #a bo away bob HB 0",
            "354 confab 77 #a confab bot.test confab H 0", "354 confab 78 #a x y carol H 0",
            "315 confab #a :End of /WHO list",
        ] { wire.send(":irc.test \(line)") }
        let alice = Person(nick: nick("alice"), user: "al", host: "home", servicesAccount: "al")
        #expect(await bot.sees { $0 == .seen(alice, isBot: false) })
        #expect(await bot.sees { $0 == .seen(Person(nick: nick("bob"), user: "bo", host: "away"), isBot: true) })
        #expect(await clock.turn { wire.lines.contains { $0.raw == "WHO #b %tcuhnaf,77" } })
        #expect(bot.kinds.filter { if case .seen = $0 { true } else { false } }.count == 2)
        await bot.quit(closing: wire)
    }

    @Test("without WHOX plain WHO tells addresses, and no account is made up")
    func who() async throws {
        let (bot, wire) = try await enter()
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        _ = try await wire.expect("WHO") { $0.raw == "WHO #lobby" }
        wire.send(":irc.test 352 confab #lobby al home irc.test alice H :0 Alice")
        #expect(await bot.sees { $0 == .seen(Person(nick: nick("alice"), user: "al", host: "home"), isBot: false) })
        await bot.quit(closing: wire)
    }

    @Test("ranks are followed through MODE, whoever sets it and however long the line")
    func modes() async throws {
        let (bot, wire) = try await enter(support: "CHANTYPES=# PREFIX=(qaohv)~&@%+ CHANMODES=b,k,l,nt MODES=20")
        try await wire.admit("confab", to: "#lobby", with: ["@alice", "bob"])
        wire.send(":irc.test MODE #lobby +bvvvvvvvvvvo *!*@spam.test a b c d e f g h i j bob")
        wire.send(":alice!a@home MODE #lobby -o alice")
        wire.send(":confab MODE confab :+i")
        #expect(await bot.sees { $0 == .ranked(nick("alice"), channel("#lobby"), rank: "o", isHeld: false) })
        #expect(bot.kinds.contains(.ranked(nick("bob"), channel("#lobby"), rank: "o", isHeld: true)))
        #expect(bot.kinds.filter { if case .ranked = $0 { true } else { false } }.count == 2)
        await bot.quit(closing: wire)
    }

    // MARK: Getting in, and out

    @Test("a refusal in a number of the server's own is one all the same, and the other channels are joined")
    func refusedJoin() async throws {
        let (bot, wire) = try await enter(channels: ["#a", "#b"])
        _ = try await wire.expect("JOIN #a") { $0.raw == "JOIN #a" }
        wire.send(":irc.test 520 confab #a :Cannot join channel (opers only)")
        try await wire.admit("confab", to: "#b")
        #expect(await bot.sees { $0 == .entered(channel("#b")) })
        #expect(bot.log.lines.contains { $0.contains("kept out of a channel for good") && $0.contains("opers only") })
        #expect(!bot.kinds.contains { if case .refused = $0 { true } else { false } })
        await bot.quit(closing: wire)
    }

    @Test("a channel the bot is forwarded to is left, unless it is to be there anyway")
    func forwarded() async throws {
        let (bot, wire) = try await enter(channels: ["#a", "#b"])
        _ = try await wire.expect("JOIN #a") { $0.raw == "JOIN #a" }
        wire.send(":irc.test 470 confab #a ##overflow :Forwarding to another channel")
        wire.send(":confab!confab@bot.test JOIN ##overflow")
        _ = try await wire.expect("PART") { $0.raw == "PART ##overflow" }
        wire.send(":irc.test 470 confab #a #b :Forwarding to another channel")
        wire.send(":confab!confab@bot.test JOIN #b")
        #expect(await bot.sees { $0 == .entered(channel("#b")) })
        #expect(!bot.kinds.contains(.entered(channel("##overflow"))))
        await bot.quit(closing: wire)
    }

    @Test(
        "after a kick, or a PART by another's hand, the bot is back after a minute, once",
        arguments: [
            ":alice!a@home KICK #lobby confab :out", ":confab!confab@bot.test PART #lobby :services",
        ])
    func removed(line: String) async throws {
        let (bot, wire) = try await enter()
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        wire.send(line)
        #expect(await bot.sees { if case .expelled(channel("#lobby"), _) = $0 { true } else { false } })
        let kickedAt = clock.time.now()
        wire.skipToEnd()
        let isBack = await clock.turn { wire.lines.filter { $0.raw == "JOIN #lobby" }.count == 2 }
        #expect(isBack && clock.time.now() >= kickedAt + .seconds(60))
        await bot.quit(closing: wire)
    }

    @Test("an invitation is taken to a channel that is meant and kept the bot out, and to no other")
    func invited() async throws {
        let (bot, wire) = try await enter(channels: ["#a"])
        _ = try await wire.expect("JOIN #a") { $0.raw == "JOIN #a" }
        wire.send(":irc.test 474 confab #a :Cannot join channel (+b)")
        wire.send(":alice!a@home INVITE confab #elsewhere")
        wire.send(":alice!a@home INVITE somebody #a")
        try await wire.ping()
        #expect(wire.lines.filter { $0.command == "JOIN" }.count == 1)
        wire.send(":alice!a@home INVITE confab :#a")
        _ = try await wire.expect("JOIN #a again") { $0.raw == "JOIN #a" }
        await bot.quit(closing: wire)
    }

    @Test("a renamed channel is the same one, and what waits for it is said there")
    func renamed() async throws {
        let (bot, wire) = try await enter(
            capabilities: "draft/channel-rename", support: "CHANTYPES=# PREFIX=(ov)@+ CHANMODES=b,k,l,cnt")
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        wire.send(":alice!a@home MODE #lobby +c")
        wire.send(":alice!a@home RENAME #lobby #parlour :tidier")
        #expect(await bot.sees { $0 == .channelRenamed(channel("#lobby"), to: channel("#parlour")) })
        clock.advance(by: .seconds(60))
        #expect(await bot.say(["hello"], in: "#lobby") == .sent)
        _ = try await wire.expect("the line") { $0.raw == "PRIVMSG #parlour :hello" }
        // The new name has the modes of the old one, whichever of the two is said.
        let connection = try #require(bot.connection)
        for name in ["#lobby", "#parlour"] {
            let bold = Utterance(
                on: connection, to: .channel(channel(name)), form: .message, lines: ["\u{2}bold\u{2}"],
                isFormatted: true)
            #expect(await bot.link.speak(bold) == .sent)
            _ = try await wire.expect("plain text") { $0.raw == "PRIVMSG #parlour :bold" }
        }
        wire.send(":alice!a@home KICK #parlour confab :out")
        #expect(await bot.sees { if case .expelled(channel("#parlour"), _) = $0 { true } else { false } })
        #expect(await clock.turn { wire.lines.contains { $0.raw == "JOIN #parlour" } })
        await bot.quit(closing: wire)
    }

    @Test("what is said to the operators is answered among them")
    func operators() async throws {
        let (bot, wire) = try await enter(support: "CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@+")
        try await wire.admit("confab", to: "#lobby", with: ["@alice"])
        wire.send(":alice!a@home PRIVMSG @#lobby :between us")
        #expect(await bot.hears("between us"))
        clock.advance(by: .seconds(60))
        let connection = try #require(bot.connection)
        let target = Target.ranks("@", channel("#lobby"))
        let answer = Utterance(on: connection, to: target, form: .message, lines: ["yes"])
        #expect(await bot.link.speak(answer) == .sent)
        _ = try await wire.expect("the answer") { $0.raw == "PRIVMSG @#lobby :yes" }
        await bot.quit(closing: wire)
    }

    // MARK: Casemapping

    @Test("a casemapping that changes re-keys what waits and what is being listed")
    func casemapping() async throws {
        let (bot, wire) = try await enter(channels: ["#a[b"], support: "CHANTYPES=# PREFIX=(ov)@+ CASEMAPPING=ascii")
        _ = try await wire.expect("JOIN") { $0.raw == "JOIN #a[b" }
        wire.send(":confab!confab@bot.test JOIN #a[b")
        wire.send(":irc.test 353 confab = #a[b :confab al[ice")
        wire.send(":irc.test 005 confab CASEMAPPING=rfc1459 :are supported by this server")
        wire.send(":irc.test 353 confab = #A{B :bob")
        wire.send(":irc.test 366 confab #A{B :End of /NAMES list")
        let both = [Member(nick("AL{ICE")), Member(nick("bob"))]
        #expect(await bot.sees { $0 == .members(channel("#a{b"), both) })
        wire.send(":irc.test 005 confab -CASEMAPPING :are supported by this server")
        wire.send(":irc.test 005 confab CASEMAPPING=rfc7613 :are supported by this server")
        #expect(await bot.sees { $0 == .casemapping(.ascii) })
        await bot.quit(closing: wire)
    }
}
