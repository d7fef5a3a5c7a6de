import Domain
import TestKit
import Testing

@Suite("Messages of several lines that people send")
struct MultilineHearingTests {
    private let clock = ManualTime()

    @Test("a person's message of several lines is one, with the account of its opening, in the order of the wire")
    func heard() async throws {
        let scene = try await MultilineScene(clock)
        for line in [
            ":alice!a@home PRIVMSG #lobby :before",
            "@msgid=x;account=al :alice!a@home BATCH +9 draft/multiline #lobby",
            "@batch=9;account=mallory :alice!a@home PRIVMSG #lobby :def f():",
            ":carol!c@c PRIVMSG #lobby :meanwhile",
            "@batch=9 :alice!a@home PRIVMSG #lobby :    return ", "@batch=9 :alice!a@home PRIVMSG #lobby :",
            "@batch=9 :alice!a@home PRIVMSG #lobby :what is ",
            "@batch=9;draft/multiline-concat :alice!a@home PRIVMSG #lobby :wrong?", ":irc.test BATCH -9",
            ":alice!a@home PRIVMSG #lobby :after",
        ] { scene.wire.send(line) }
        #expect(await scene.bot.hears("after"))
        #expect(
            scene.bot.messages.map(\.text) == [
                "before", "meanwhile", "def f():\n    return\n\nwhat is wrong?", "after",
            ])
        #expect(scene.bot.messages.map(\.sender.servicesAccount) == [nil, nil, "al", nil])
        #expect(scene.bot.messages[2].place == .channel(ChannelName("#lobby", .rfc1459)))
        await scene.ends()
    }

    @Test("in private and as an action too; one line is a line, and nothing but blanks is nothing")
    func forms() async throws {
        let scene = try await MultilineScene(clock)
        func send(_ lines: String..., to target: String) {
            scene.wire.send(":alice!a@home BATCH +9 draft/multiline \(target)")
            for line in lines { scene.wire.send("@batch=9 :alice!a@home PRIVMSG \(target) :\(line)") }
            scene.wire.send(":irc.test BATCH -9")
        }
        send("a", "b", to: "confab")
        send("", "  only  ", to: "@#lobby")
        send(" ", "\u{2}", "", to: "confab")
        send("\u{1}ACTION waves", "twice\u{1}", to: "#lobby")
        send("\u{1}VERSION\u{1}", "b", to: "confab")
        send("not", "for us", to: "alice")
        send("last", to: "confab")
        #expect(await scene.bot.hears("last"))
        #expect(scene.bot.messages.map(\.text) == ["a\nb", "only", "waves\ntwice", "last"])
        #expect(scene.bot.messages.map(\.isAction) == [false, false, true, false])
        #expect(scene.bot.messages[0].place == .direct)
        #expect(!scene.wire.lines.contains { $0.command == "NOTICE" })
        await scene.ends()
    }

    @Test(
        "what is played back, comes from the bot itself, a bot, a server or nobody, or breaks a rule, is not heard",
        arguments: [
            [":irc.test BATCH +h chathistory #lobby", "@batch=h :alice!a@home BATCH +9 draft/multiline #lobby"],
            [":irc.test BATCH +h netsplit a b", "@batch=h :alice!a@home BATCH +9 draft/multiline #lobby"],
            ["@batch=unknown :alice!a@home BATCH +9 draft/multiline #lobby"],
            [":confab!confab@bot.test BATCH +9 draft/multiline #lobby"],
            ["@bot :alice!a@home BATCH +9 draft/multiline #lobby"],
            [":irc.test BATCH +9 draft/multiline #lobby"], ["BATCH +9 draft/multiline #lobby"],
            [":mallory!m@m BATCH +9 draft/multiline #lobby"], [":alice!a@home BATCH +9 draft/multiline #other"],
            [":alice!a@home BATCH +9 draft/multiline #lobby", "@batch=9 :alice!a@home NOTICE #lobby :x"],
            [
                ":alice!a@home BATCH +9 draft/multiline #lobby",
                "@batch=9 :alice!a@home BATCH +8 draft/multiline #lobby",
            ],
            [":alice!a@home BATCH +9 x #lobby"], [],
        ])
    func notHeard(opening: [String]) async throws {
        let scene = try await MultilineScene(clock)
        for line in opening { scene.wire.send(line) }
        scene.wire.send("@batch=9 :alice!a@home PRIVMSG #lobby :LOGIN alice secret")
        scene.wire.send("@batch=9 :alice!a@home PRIVMSG #lobby :two")
        scene.wire.send(":irc.test BATCH -9")
        scene.wire.send(":irc.test BATCH -h")
        scene.wire.send(":alice!a@home PRIVMSG #lobby :live")
        #expect(await scene.bot.hears("live"))
        #expect(scene.bot.messages.count == 1)
        await scene.ends()
    }

    @Test("one that the connection's end cuts off is gone with it")
    func cutOff() async throws {
        let server = MultilineServer()
        let ircd = try ScriptedIRCServer(multiline: server)
        let bot = LinkUnderTest(port: ircd.port, clock: clock)
        for number in 0...1 {
            let wire = try await ircd.connection(number)
            try await wire.welcome(capabilities: "batch message-tags \(server.capability)")
            try await wire.admit("confab", to: "#lobby", with: ["alice"])
            if number == 0 {
                wire.send(":alice!a@home BATCH +9 draft/multiline #lobby")
                wire.send("@batch=9 :alice!a@home PRIVMSG #lobby :half")
                try await wire.ping()
                wire.close()
                #expect(await clock.turn { ircd.connectionCount == 2 })
            } else {
                wire.send("@batch=9 :alice!a@home PRIVMSG #lobby :the other half")
                wire.send(":irc.test BATCH -9")
                wire.send(":alice!a@home PRIVMSG #lobby :live")
                #expect(await bot.hears("live"))
                #expect(bot.messages.count == 1)
                await bot.quit(closing: wire)
            }
        }
    }
}
