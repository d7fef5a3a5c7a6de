import Domain
import IRC
import IRCProtocol
import Runtime
import TestKit
import Testing

@Suite("How the link speaks")
struct SpeakingTests {
    private let clock = ManualTime()

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    private func enter(pace: Pace = Pace(burst: 2)) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, pace: pace, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby", with: ["alice", "bob"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        // The JOIN has been paid for.
        clock.advance(by: .seconds(60))
        return (bot, wire)
    }

    private func said(_ wire: LineConnection) -> [String] {
        wire.lines.filter { ["PRIVMSG", "NOTICE"].contains($0.command) }.map(\.raw)
    }

    @Test("lines are paced, targets take turns, and a delivery is told when its last line is written")
    func paced() async throws {
        let (bot, wire) = try await enter()
        async let history = bot.say((1...4).map { "line \($0)" }, to: nick("alice"), form: .notice)
        _ = try await wire.expect("the burst") { $0.raw == "NOTICE alice :line 2" }
        async let answer = bot.say(["short"], in: "#lobby")
        #expect(await clock.turn { said(wire).count == 5 })
        #expect(await history == .sent)
        #expect(await answer == .sent)
        #expect(
            said(wire) == [
                "NOTICE alice :line 1", "NOTICE alice :line 2", "NOTICE alice :line 3", "PRIVMSG #lobby :short",
                "NOTICE alice :line 4",
            ])
        await bot.quit(closing: wire)
    }

    @Test("what waits for someone who quits is never said, least of all to whoever takes the nick")
    func quitter() async throws {
        let (bot, wire) = try await enter()
        async let history = bot.say((1...50).map { "secret \($0)" }, to: nick("alice"), form: .notice)
        _ = try await wire.expect("the burst") { $0.raw == "NOTICE alice :secret 2" }
        wire.send(":alice!a@home QUIT :bye")
        wire.send(":mallory!m@evil NICK :alice")
        #expect(await history == .undelivered(.discarded))
        clock.advance(by: .seconds(600))
        try await wire.ping()
        #expect(said(wire).count == 2)
        await bot.quit(closing: wire)
    }

    @Test("what waits for someone out of sight is never said to whoever comes under their nick from elsewhere")
    func arriver() async throws {
        let (bot, wire) = try await enter()
        async let history = bot.say((1...50).map { "secret \($0)" }, to: nick("bob"), at: "b@home", form: .notice)
        _ = try await wire.expect("the burst") { $0.raw == "NOTICE bob :secret 2" }
        wire.send(":bob!b@home JOIN #lobby")
        #expect(await bot.sees { if case .joined = $0 { true } else { false } })
        #expect(await clock.turn { said(wire).count == 3 })
        wire.send(":bob!m@evil JOIN #lobby")
        #expect(await history == .undelivered(.discarded))
        clock.advance(by: .seconds(600))
        try await wire.ping()
        #expect(said(wire).count == 3)
        await bot.quit(closing: wire)
    }

    @Test("what waits for someone follows them to their new nick, and what waited for that nick's last owner does not")
    func rename() async throws {
        let (bot, wire) = try await enter()
        async let first = bot.say((1...3).map { "for alice \($0)" }, to: nick("alice"), form: .notice)
        _ = try await wire.expect("the burst") { $0.raw == "NOTICE alice :for alice 2" }
        async let second = bot.say(["for bob"], to: nick("bob"), form: .notice)
        #expect(await eventually { clock.sleeperCount > 0 })
        wire.send(":bob!b@home QUIT :bye")
        wire.send(":alice!a@home NICK :bob")
        #expect(await second == .undelivered(.discarded))
        #expect(await bot.sees { if case .renamed = $0 { true } else { false } })
        #expect(await clock.turn { said(wire).count == 3 })
        #expect(await first == .sent)
        #expect(said(wire).last == "NOTICE bob :for alice 3")
        await bot.quit(closing: wire)
    }

    @Test("discard forgets what waits for a nick; a refusal by the server forgets what waits for its target")
    func discard() async throws {
        let (bot, wire) = try await enter()
        async let history = bot.say((1...9).map { "\($0)" }, to: nick("alice"), form: .notice)
        _ = try await wire.expect("the burst") { $0.raw == "NOTICE alice :2" }
        let connection = try #require(bot.connection)
        await bot.link.discard(for: nick("Alice"), on: connection)
        #expect(await history == .undelivered(.discarded))
        async let answer = bot.say(["a", "b", "c"], in: "#lobby")
        #expect(await clock.turn { said(wire).contains("PRIVMSG #lobby :a") })
        wire.send(":irc.test 404 confab #lobby :Cannot send to channel")
        #expect(
            await bot.sees {
                $0 == .refused(.channel(ChannelName("#lobby", .rfc1459)), reason: "Cannot send to channel")
            })
        #expect(await answer == .undelivered(.refused("Cannot send to channel")))
        await bot.quit(closing: wire)
    }

    @Test("what is being said is taken back when its speaker is cancelled, and nothing else is")
    func cancelled() async throws {
        let (bot, wire) = try await enter()
        let answer = Task { await bot.say((1...9).map { "long \($0)" }, in: "#lobby") }
        _ = try await wire.expect("the burst") { $0.raw == "PRIVMSG #lobby :long 2" }
        async let other = bot.say(["short"], in: "#lobby")
        #expect(await eventually { clock.sleeperCount > 0 })
        answer.cancel()
        #expect(await answer.value == .undelivered(.discarded))
        #expect(await clock.turn { said(wire).last == "PRIVMSG #lobby :short" })
        #expect(await other == .sent)
        #expect(!said(wire).contains("PRIVMSG #lobby :long 9"))
        await bot.quit(closing: wire)
    }

    @Test("nothing said can become a second line or a command, and long lines are cut to what others receive")
    func safe() async throws {
        let (bot, wire) = try await enter(pace: Pace(burst: 100, interval: .zero))
        let hostile = ["x\r\nQUIT :owned", "\u{1}DCC SEND f 1 2 3\u{1}", "a\0b", String(repeating: "界", count: 400)]
        #expect(await bot.say(hostile, in: "#lobby", prefix: "alice: ") == .sent)
        try await wire.ping()
        let lines = said(wire)
        #expect(lines.allSatisfy { $0.hasPrefix("PRIVMSG #lobby :alice: ") && !$0.contains("\u{1}") })
        #expect(!wire.lines.contains { $0.command == "QUIT" })
        // As `admit` shows the bot to others.
        #expect(lines.allSatisfy { ":confab!confab@bot.test ".utf8.count + $0.utf8.count + 2 <= 512 })
        #expect(lines.joined().filter { $0 == "界" }.count == 400)
        await bot.quit(closing: wire)
    }

    @Test("what is said on a connection that is gone is undelivered at once, and so is what waited on it")
    func offline() async throws {
        let (bot, wire) = try await enter()
        let connection = try #require(bot.connection)
        async let waiting = bot.say((1...9).map { "\($0)" }, in: "#lobby")
        _ = try await wire.expect("the burst") { $0.raw == "PRIVMSG #lobby :2" }
        wire.close()
        #expect(await waiting == .undelivered(.offline))
        let late = Utterance(on: connection, to: .nick(nick("alice")), form: .notice, lines: ["late"])
        #expect(await bot.link.speak(late) == .undelivered(.offline))
        await bot.quit()
    }
}
