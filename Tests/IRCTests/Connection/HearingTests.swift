import Domain
import IRC
import IRCProtocol
import TestKit
import Testing

@Suite("What the link hears")
struct HearingTests {
    private let channel = ChannelName("#lobby", .rfc1459)

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    /// A bot in `#lobby`, under the nick and with the capabilities that a test gives.
    private func enter(
        capabilities: String = "", support: String = "CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@+"
    ) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: capabilities, support: support)
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        return (bot, wire)
    }

    @Test("what stands around a text is counted, and is no part of it")
    func blanks() async throws {
        let (bot, wire) = try await enter()
        wire.send(":alice!a@home PRIVMSG #lobby :    return 1")
        wire.send(":alice!a@home PRIVMSG #lobby :\t\u{2} x = 2 ")
        wire.send(bytes: Array(":alice!a@home PRIVMSG #lobby :  caf".utf8) + [0xE9, 0x20, 0x0D, 0x0A])
        wire.send(":alice!a@home PRIVMSG #lobby :end")
        #expect(await bot.hears("end"))
        #expect(bot.messages.map(\.text).prefix(2) == ["return 1", "x = 2"])
        #expect(bot.messages.map(\.indentation) == [4, 2, 2, 0])
        #expect(bot.messages.map(\.endsInBlank) == [false, true, true, false])
        await bot.quit(closing: wire)
    }

    @Test("what the bot said it need not hear is left out, until something else is told of whoever says it")
    func overlooked() async throws {
        let (bot, wire) = try await enter()
        let alice = Person(nick: nick("alice"), user: "a", host: "home")
        wire.send(":alice!a@home PRIVMSG #lobby :first")
        #expect(await bot.hears("first"))
        let connection = try #require(bot.connection)
        let bystander = Bystander(alice, in: channel, for: .seconds(60)) { $0.elementsEqual("secret".utf8) }
        bot.link.overlook(bystander, on: connection)
        // Said by the next job of the link's thread; a question to it comes after that.
        _ = await bot.link.extent(of: Utterance(on: connection, to: .channel(channel), form: .message, lines: ["x"]))
        wire.send(":alice!a@home PRIVMSG #lobby :chatter")
        wire.send(":alice!a@home PRIVMSG #lobby :secret")
        wire.send(":alice!a@home PRIVMSG #lobby :heard again")
        #expect(await bot.hears("heard again"))
        #expect(bot.messages.map(\.text) == ["first", "secret", "heard again"])
        await bot.quit(closing: wire)
    }

    @Test("notices, echoes, servers, marked bots, replays and CTCP never become a message")
    func silent() async throws {
        let (bot, wire) = try await enter(capabilities: "message-tags server-time batch account-tag")
        for line in [
            ":alice!a@home NOTICE confab :notice", ":alice!a@home NOTICE #lobby :notice",
            ":confab!confab@bot.test PRIVMSG #lobby :echo", ":CONFAB!confab@bot.test PRIVMSG confab :echo",
            ":irc.test PRIVMSG #lobby :server", "PRIVMSG confab :nobody", "@bot :b!b@b PRIVMSG #lobby :marked",
            "@time=2026-01-01T00:00:00.000Z :confab!confab@bot.test JOIN #other",
            "@time=2020-01-01T00:00:00.000Z :alice!a@home PRIVMSG confab :old",
            ":*status!znc@znc.in PRIVMSG confab :Disconnected", ":*buffextras!znc@znc.in PRIVMSG #lobby :bob quit",
            ":irc.test BATCH +1 chathistory #lobby", "@batch=1 :alice!a@home PRIVMSG #lobby :history",
            ":irc.test BATCH -1", ":alice!a@home PRIVMSG $*.test :wallops", ":alice!a@home PRIVMSG alice :not for us",
            ":alice!a@home PRIVMSG confa :not for us", ":alice!a@home PRIVMSG confab2 :not for us",
            ":alice!a@home PRIVMSG #lobby :\u{1}PING x\u{1}", ":alice!a@home PRIVMSG #lobby :\u{3}4\u{2}",
        ] { wire.send(line) }
        wire.send(":alice!a@home PRIVMSG CONFAB :live")
        #expect(await bot.hears("live"))
        #expect(bot.messages.count == 1)
        await bot.quit(closing: wire)
    }

    @Test("an action is a message, whole; what is said to the operators of a channel is said there")
    func forms() async throws {
        let (bot, wire) = try await enter()
        let long = String(repeating: "waves ", count: 50) + "ünd end"
        wire.send(":alice!a@home PRIVMSG #lobby :\u{1}ACTION \(long)\u{1}")
        wire.send(":alice!a@home PRIVMSG @#lobby :to the operators")
        #expect(await bot.hears("to the operators"))
        #expect(bot.messages.first?.text == long)
        #expect(bot.messages.map(\.isAction) == [true, false])
        #expect(bot.messages.map(\.place) == [.channel(channel), .ranks("@", channel)])
        await bot.quit(closing: wire)
    }

    @Test("the bot goes by the nick of the welcome and of its own NICK lines, whoever else changes theirs")
    func ownNick() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, alternates: ["zed"])
        let wire = try await server.connection()
        _ = try await wire.expect("CAP LS") { $0.command == "CAP" }
        wire.send(":irc.test CAP * LS :")
        _ = try await wire.expect("USER") { $0.command == "USER" }
        wire.send(":irc.test 433 * confab :in use")
        _ = try await wire.expect("NICK zed") { $0.raw == "NICK zed" }
        for line in [":irc.test 001 ze :hi", ":irc.test 005 ze CHANTYPES=# :are", ":irc.test 376 ze :end"] {
            wire.send(line)
        }
        #expect(await bot.sees { $0 == .online(nick: nick("ze"), mapping: .rfc1459) })
        wire.send(":zed!u@h NICK :confab")
        wire.send(":alice!a@home PRIVMSG zed :to somebody else")
        wire.send(":alice!a@home PRIVMSG ze :to us")
        wire.send(":ze!confab@bot.test NICK Guest7")
        wire.send(":alice!a@home PRIVMSG ze :to nobody")
        wire.send(":alice!a@home PRIVMSG guest7 :to us again")
        #expect(await bot.hears("to us again"))
        #expect(bot.messages.map(\.text) == ["to us", "to us again"])
        #expect(bot.messages.allSatisfy { $0.place == .direct })
        #expect(bot.kinds.contains(.ownNick(nick("Guest7"))))
        await bot.quit(closing: wire)
    }

    @Test("people come, go, change nick, host and services account, in the order of the wire")
    func people() async throws {
        let capabilities = "account-tag extended-join account-notify chghost message-tags"
        let (bot, wire) = try await enter(capabilities: capabilities)
        let before = bot.kinds.count
        for line in [
            ":bob!b@away JOIN #lobby bobby :Bob", "@account=bobby :bob!b@away PRIVMSG #lobby :hi",
            ":bob!b@away ACCOUNT *",
            ":bob!b@away CHGHOST bb cloak", ":bob!bb@cloak NICK :rob", ":rob!bb@cloak PART #lobby :bye",
            ":alice!a@home KICK #lobby carol :out", ":carol!c@c QUIT :gone", ":dave!d@d JOIN #lobby * :Dave",
        ] { wire.send(line) }
        #expect(await bot.sees { $0 == .joined(Person(mask: "dave!d@d"), channel) })
        let person = { (mask: String, account: String?) in
            var person = Person(mask: mask)
            person.servicesAccount = account
            return person
        }
        #expect(
            Array(bot.kinds[before...]) == [
                .joined(person("bob!b@away", "bobby"), channel),
                .message(Message(sender: person("bob!b@away", "bobby"), place: .channel(channel), text: "hi")),
                .servicesAccount(person("bob!b@away", nil)),
                .moved(person("bob!b@away", nil), user: "bb", host: "cloak"),
                .renamed(person("bob!bb@cloak", nil), to: nick("rob")), .left(nick("rob"), channel),
                .left(nick("carol"), channel), .quit(nick("carol")), .joined(person("dave!d@d", nil), channel),
            ])
        await bot.quit(closing: wire)
    }

    @Test("a services account is not believed where only some lines tell it")
    func partialAccounts() async throws {
        let (bot, wire) = try await enter(capabilities: "extended-join account-notify")
        wire.send(":bob!b@away JOIN #lobby bobby :Bob")
        wire.send(":bob!b@away ACCOUNT bobby")
        wire.send(":bob!b@away PRIVMSG #lobby :hi")
        #expect(await bot.hears("hi"))
        #expect(bot.kinds.contains(.joined(Person(mask: "bob!b@away"), channel)))
        #expect(!bot.kinds.contains { if case .servicesAccount = $0 { true } else { false } })
        await bot.quit(closing: wire)
    }

    @Test("nobody's account is none, however and wherever it is written", arguments: ["*", "0", ""])
    func nobody(account: String) async throws {
        let (bot, wire) = try await enter(
            capabilities: "account-tag extended-join account-notify message-tags", support: "CHANTYPES=# WHOX")
        let before = bot.kinds.count
        for line in [
            ":bob!b@away JOIN #lobby \(account) :Bob",
            "@account=\(account) :bob!b@away PRIVMSG #lobby :hi", "@account :bob!b@away PRIVMSG #lobby :ho",
            ":bob!b@away ACCOUNT :\(account)", ":irc.test 354 confab 77 #lobby b away bob H :\(account)",
            ":irc.test 900 confab confab!c@c \(account) :You are logged in",
            ":bob!b@away PRIVMSG #lobby :last",
        ] { wire.send(line) }
        #expect(await bot.hears("last"))
        let bob = Person(mask: "bob!b@away")
        let told = bot.kinds[before...].filter { if case .message = $0 { false } else { true } }
        #expect(told == [.joined(bob, channel), .servicesAccount(bob), .seen(bob, isBot: false)])
        #expect(bot.messages.count == 3 && bot.messages.allSatisfy { $0.sender == bob })
        #expect(await bot.link.status().first?.account == nil)
        await bot.quit(closing: wire)
    }

    @Test("a netsplit is many people quitting, and nothing said")
    func netsplit() async throws {
        let (bot, wire) = try await enter(capabilities: "batch")
        for line in [
            ":irc.test BATCH +s netsplit a.test b.test", "@batch=s :alice!a@home QUIT :a.test b.test",
            "@batch=s :bob!b@away QUIT :a.test b.test", ":irc.test BATCH -s",
        ] { wire.send(line) }
        #expect(await bot.sees { $0 == .quit(nick("bob")) })
        #expect(bot.kinds.contains(.quit(nick("alice"))))
        await bot.quit(closing: wire)
    }

    @Test(
        "names in several lines arrive as one list without the bot, with operators' ranks and the addresses they tell")
    func names() async throws {
        let (bot, wire) = try await enter(support: "CHANTYPES=# PREFIX=(qaohv)~&@%+")
        wire.send(":irc.test 353 confab = #lobby :~@alice &bob!b@away %carol")
        wire.send(":irc.test 353 confab @ #lobby :+dave @confab ~@+erin ")
        wire.send(":irc.test 366 confab #lobby :End of /NAMES list")
        let list = [
            Member(nick("alice"), ranks: ["q", "o"]),
            Member(nick("bob"), person: Person(mask: "bob!b@away"), ranks: ["a"]),
            Member(nick("carol")), Member(nick("dave")), Member(nick("erin"), ranks: ["q", "o"]),
        ]
        #expect(await bot.sees { $0 == .members(channel, list) })
        await bot.quit(closing: wire)
    }

    @Test("a casemapping that changes in mid-session is told, and applies to what follows")
    func casemapping() async throws {
        let (bot, wire) = try await enter()
        wire.send(":irc.test 005 confab CASEMAPPING=ascii :are supported by this server")
        #expect(await bot.sees { $0 == .casemapping(.ascii) })
        wire.send(":al[ice!a@home PRIVMSG confab :hi")
        #expect(await bot.hears("hi"))
        #expect(bot.messages.last?.sender.nick.folded == "al[ice")
        await bot.quit(closing: wire)
    }

    @Test("a line is understood by what the server had said before it, not by what comes in the same breath")
    func order() async throws {
        let (bot, wire) = try await enter(capabilities: "account-tag")
        wire.send(
            [
                "@account=al :alice!a@home PRIVMSG confab :first", ":irc.test CAP confab DEL :account-tag",
                ":irc.test 005 confab CHANTYPES=c :are supported by this server",
                ":alice!a@home PRIVMSG confab :second",
                ":irc.test 005 confab CHANTYPES=# :are supported by this server",
                ":alice!a@home PRIVMSG confab :third",
            ].joined(separator: "\r\n"))
        #expect(await bot.hears("third"))
        #expect(bot.messages.map(\.place) == [.direct, .channel(ChannelName("confab", .rfc1459)), .direct])
        #expect(bot.messages.first?.sender.servicesAccount == "al")
        await bot.quit(closing: wire)
    }

    @Test("CTCP is answered by notice to the asker, three times a minute at most, and never about the machine")
    func ctcp() async throws {
        let (bot, wire) = try await enter()
        wire.send(":alice!a@home PRIVMSG #lobby :\u{1}VERSION\u{1}")
        wire.send(":alice!a@home PRIVMSG confab :\u{1}PING 12 34\u{1}")
        for number in 0..<200 { wire.send(":n\(number)!u@h PRIVMSG confab :\u{1}FINGER\u{1}") }
        for number in 0..<200 { wire.send(":n\(number)!u@h PRIVMSG confab :\u{1}VERSION\u{1}") }
        try await wire.ping()
        #expect(
            wire.lines.filter { $0.command == "NOTICE" }.map(\.raw) == [
                "NOTICE alice :\u{1}VERSION Confab test\u{1}", "NOTICE alice :\u{1}PING 12 34\u{1}",
                "NOTICE n0 :\u{1}VERSION Confab test\u{1}",
            ])
        await bot.quit(closing: wire)
    }
}

extension Person {
    /// As the scripts write people.
    fileprivate init(mask: String) {
        let parts = mask.split(whereSeparator: { $0 == "!" || $0 == "@" }).map(String.init)
        self.init(nick: Nick(parts[0], .rfc1459), user: parts[1], host: parts[2])
    }
}
