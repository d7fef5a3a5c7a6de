import Domain
import Runtime
import Synchronization
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol

@Suite("What becomes of the bot's lines")
struct RelayDeliveryTests {
    private let clock = ManualTime()
    private let telling = "batch echo-message labeled-response message-tags"

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }
    private func channel(_ name: String) -> ChannelName { ChannelName(name, .rfc1459) }

    private func enter(
        capabilities: String = "", support: String = "CHANTYPES=# PREFIX=(ov)@+",
        pace: Pace = Pace(burst: 2), channels: [String] = ["#lobby"]
    ) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(
            port: server.port, channels: channels.map { ChannelSettings(name: $0) }, pace: pace, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: capabilities, support: support)
        for channel in channels {
            try await wire.admit("confab", to: channel, with: ["alice", "bob"])
            #expect(await bot.sees { if case .members(self.channel(channel), _) = $0 { true } else { false } })
        }
        // The JOIN and what was asked after it have been paid for.
        clock.advance(by: .seconds(120))
        return (bot, wire)
    }

    /// The label of the next line that says this.
    private func label(_ wire: LineConnection, of text: String) async throws -> String {
        let line = try await wire.expect(text) { $0.command == "PRIVMSG" && $0.text == text }
        let tag = try #require(line.raw.split(separator: " ").first, "a label")
        #expect(tag.hasPrefix("@label="))
        return String(tag.dropFirst("@label=".count))
    }

    private func said(_ wire: LineConnection) -> [String] {
        wire.lines.filter { ["PRIVMSG", "NOTICE"].contains($0.command) }.map(\.text)
    }

    // MARK: Proof

    @Test("where the server tells it, something said is delivered when the last echo of it is back, and not before")
    func echoed() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        let isOver = Mutex(false)
        async let answer = {
            defer { isOver.withLock { $0 = true } }
            return await bot.say(["one", "two"], in: "#lobby")
        }()
        let first = try await label(wire, of: "one")
        let second = try await label(wire, of: "two")
        #expect(first != second)
        wire.send("@label=\(second) :confab!confab@bot.test PRIVMSG #lobby :two")
        try await wire.ping()
        #expect(isOver.withLock { !$0 })
        wire.send("@label=\(first) :confab!confab@bot.test PRIVMSG #lobby :one")
        #expect(await answer == .sent)
        #expect(bot.messages.isEmpty)
        await bot.quit(closing: wire)
    }

    @Test("an answer of several lines, and one that only acknowledges, prove a delivery as well")
    func batched() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let away = bot.say(["are you there?"], to: nick("alice"), form: .message)
        let first = try await label(wire, of: "are you there?")
        wire.send("@label=\(first) :irc.test BATCH +r1 labeled-response")
        wire.send("@batch=r1 :irc.test 301 confab alice :is away")
        wire.send("@batch=r1 :confab!confab@bot.test PRIVMSG alice :are you there?")
        wire.send(":irc.test BATCH -r1")
        #expect(await away == .sent)
        async let plain = bot.say(["hello"], in: "#lobby")
        wire.send("@label=\(try await label(wire, of: "hello")) :irc.test ACK")
        #expect(await plain == .sent)
        #expect(bot.messages.isEmpty)
        await bot.quit(closing: wire)
    }

    @Test("what is not proved within a minute of its last line counts as undelivered")
    func silent() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let answer = bot.say(["lost"], in: "#lobby")
        _ = try await label(wire, of: "lost")
        #expect(await eventually { clock.sleeperCount > 0 })
        clock.advance(by: .seconds(59))
        try await wire.ping()
        #expect(await clock.turn { wire.lines.contains { $0.command == "PING" } })
        #expect(await answer == .undelivered(.unproven))
        await bot.quit(closing: wire)
    }

    @Test(
        "a refusal under a label ends the utterance of that line, and no other",
        arguments: [
            ":irc.test 404 confab #lobby :Cannot send to channel (+m)", ":irc.test 408 confab #lobby :No colours",
            ":irc.test 439 confab #lobby :Target change too fast", ":irc.test 499 confab #lobby :Some number",
            ":irc.test FAIL PRIVMSG CHANNEL_MUTED #lobby :Muted",
        ])
    func refusedByLabel(refusal: String) async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let long = bot.say((1...9).map { "long \($0)" }, in: "#lobby")
        let first = try await label(wire, of: "long 1")
        let second = try await label(wire, of: "long 2")
        async let other = bot.say(["other"], in: "#lobby")
        #expect(await eventually { clock.sleeperCount > 0 })
        wire.send("@label=\(first) \(refusal)")
        wire.send("@label=\(second) \(refusal)")
        #expect(await long == .undelivered(.refused(String(refusal.split(separator: ":").last ?? ""))))
        #expect(await clock.turn { said(wire).last == "other" })
        wire.send("@label=\(try await label(wire, of: "other")) :confab!confab@bot.test PRIVMSG #lobby :other")
        #expect(await other == .sent)
        #expect(said(wire).count == 3)
        #expect(!bot.kinds.contains { if case .refused = $0 { true } else { false } })
        await bot.quit(closing: wire)
    }

    @Test("someone who takes no messages is told apart by the label, in a batch too")
    func callerID() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let answer = bot.say(["psst", "psst again", "never"], to: nick("alice"), form: .message)
        let first = try await label(wire, of: "psst")
        wire.send("@label=\(first) :irc.test BATCH +r1 labeled-response")
        wire.send("@batch=r1 :irc.test 716 confab alice :is in +g mode")
        wire.send("@batch=r1 :irc.test 717 confab alice :has been informed")
        wire.send(":irc.test BATCH -r1")
        #expect(await answer == .undelivered(.refused("is in +g mode")))
        clock.advance(by: .seconds(60))
        try await wire.ping()
        #expect(said(wire) == ["psst", "psst again"])
        await bot.quit(closing: wire)
    }

    @Test("when the server stops telling, what is written is taken for delivered, as on every other server")
    func capabilityGone() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let answer = bot.say(["one"], in: "#lobby")
        _ = try await label(wire, of: "one")
        wire.send(":irc.test CAP confab DEL :labeled-response")
        #expect(await answer == .sent)
        #expect(await bot.say(["two"], in: "#lobby") == .sent)
        _ = try await wire.expect("no label") { $0.raw == "PRIVMSG #lobby :two" }
        await bot.quit(closing: wire)
    }

    @Test("a lost connection leaves what was not proved undelivered; a farewell waits for the proof")
    func lost() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let answer = bot.say(["one"], in: "#lobby")
        let first = try await label(wire, of: "one")
        async let second = bot.say(["two"], in: "#lobby")
        _ = try await label(wire, of: "two")
        await bot.link.quit("over")
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.send("@label=\(first) :confab!confab@bot.test PRIVMSG #lobby :one")
        #expect(await answer == .sent)
        wire.close()
        #expect(await second == .undelivered(.offline))
        await bot.quit()
    }

    @Test("echoes without a label are nobody's lines, whatever they are addressed to")
    func echoesWithoutLabels() async throws {
        let (bot, wire) = try await enter()
        wire.send(":confab!confab@bot.test PRIVMSG #lobby :confab: hello")
        wire.send(":Confab!confab@bot.test PRIVMSG confab :LOGIN bob secret")
        wire.send(":confab!confab@bot.test PRIVMSG #lobby :\u{1}VERSION\u{1}")
        wire.send(":alice!a@home PRIVMSG #lobby :the last")
        #expect(await bot.hears("the last"))
        #expect(bot.messages.count == 1)
        #expect(said(wire).isEmpty)
        await bot.quit(closing: wire)
    }

    @Test("where refusals carry labels, one without is about something else, and stops nothing that is said")
    func unlabelled() async throws {
        let (bot, wire) = try await enter(capabilities: telling)
        async let answer = bot.say(["one"], in: "#lobby")
        let first = try await label(wire, of: "one")
        // To the sign that the bot types, say.
        wire.send(":irc.test 404 confab #lobby :Cannot send to channel")
        wire.send("@label=\(first) :confab!confab@bot.test PRIVMSG #lobby :one")
        #expect(await answer == .sent)
        #expect(!bot.kinds.contains { if case .refused = $0 { true } else { false } })
        await bot.quit(closing: wire)
    }

    // MARK: Refusals without labels

    @Test(
        "a standard reply ends what waits for the channel it names, or for whom it was said last",
        arguments: [
            "FAIL PRIVMSG CHANNEL_MUTED #lobby :No", "FAIL PRIVMSG INVALID_UTF8 :No", "FAIL NOTICE X alice :No",
        ])
    func standardReply(reply: String) async throws {
        let (bot, wire) = try await enter()
        async let answer = bot.say(["one", "two", "three", "four"], in: "#lobby")
        _ = try await wire.expect("two") { $0.text == "two" }
        wire.send(":irc.test WARN PRIVMSG X #lobby :Mind this")
        wire.send(":irc.test FAIL JOIN X #lobby :Not about this")
        wire.send(":irc.test \(reply)")
        #expect(await answer == .undelivered(.refused("No")))
        #expect(await bot.sees { $0 == .refused(.channel(channel("#lobby")), reason: "No") })
        await bot.quit(closing: wire)
    }

    @Test("in a channel that the bot was thrown out of nothing is said, and nothing asked of the server")
    func outside() async throws {
        let (bot, wire) = try await enter(pace: Pace(burst: 99), channels: ["#lobby", "#other"])
        wire.send(":op!o@o KICK #lobby confab :out")
        #expect(await bot.sees { if case .expelled = $0 { true } else { false } })
        #expect(await bot.say(["late"], in: "#lobby") == .undelivered(.discarded))
        #expect(await bot.say(["here"], in: "#other") == .sent)
        #expect(await eventually { said(wire) == ["here"] })
        await bot.quit(closing: wire)
    }

    // MARK: Pace

    @Test(
        "a server that complains of the pace gets a slower one",
        arguments: [
            ":irc.test NOTICE confab :*** Flood protection: slow down", ":irc.test FAIL * RATE_LIMITED :Slow",
            ":irc.test 263 confab PRIVMSG :Please wait a while and try again.",
            ":irc.test 439 confab bob :Target change too fast.",
        ])
    func slower(complaint: String) async throws {
        let (bot, wire) = try await enter(pace: Pace(burst: 4, interval: .seconds(2)))
        wire.send(complaint)
        try await wire.ping()
        let sleepers = clock.sleeperCount
        async let answer = bot.say(["one", "two"], in: "#lobby")
        // One more, for the line that has to wait.
        #expect(await eventually { clock.sleeperCount > sleepers })
        try await wire.ping()
        #expect(said(wire).isEmpty)
        clock.advance(by: .seconds(4))
        _ = try await wire.expect("one") { $0.text == "one" }
        clock.advance(by: .seconds(3))
        try await wire.ping()
        #expect(said(wire) == ["one"])
        #expect(await clock.turn { said(wire).count == 2 })
        #expect(await answer == .sent)
        #expect(bot.log.lines.contains { $0.contains("too fast") })
        await bot.quit(closing: wire)
    }

    @Test("what people say of floods, and the server to others, changes no pace")
    func hearsay() async throws {
        let (bot, wire) = try await enter()
        wire.send(":alice!a@home NOTICE confab :you flood")
        wire.send(":irc.test 263 confab :")
        wire.send(":irc.test NOTICE confab :Welcome home")
        try await wire.ping()
        #expect(bot.log.lines.filter { $0.contains("too fast") }.count == 1)
        await bot.quit(closing: wire)
    }

    @Test(arguments: [
        ("Please wait 30 seconds.", 30), ("wait 5 sec", 5), ("try again (in 12 seconds)", 12),
        ("wait 99999 seconds", 120),
        ("wait a few seconds", 0), ("seconds", 0), ("", 0),
    ])
    func `the wait a server asks for`(text: String, seconds: Int) {
        #expect(PaceAdvice.wait(in: text) == .seconds(seconds))
    }

    // MARK: Plain text

    private func formatted(_ bot: LinkUnderTest, to target: Target) async -> Delivery {
        guard let connection = bot.connection else { return .undelivered(.offline) }
        return await bot.link.speak(
            Utterance(on: connection, to: target, form: .message, lines: ["a \u{2}bold\u{2} word"], isFormatted: true))
    }

    @Test("formatting stays away from channels with +c, as asked on entering and told by MODE")
    func plainText() async throws {
        let (bot, wire) = try await enter(
            support: "CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@ CHANMODES=b,k,l,cnst", pace: Pace(burst: 9, interval: .zero)
        )
        #expect(await formatted(bot, to: .channel(channel("#lobby"))) == .sent)
        #expect(await eventually { said(wire).last == "a \u{2}bold\u{2} word" })
        #expect(wire.lines.contains { $0.raw == "MODE #lobby" })
        wire.send(":irc.test 324 confab #lobby +cnt")
        try await wire.ping()
        for target in [Target.channel(channel("#lobby")), .ranks("@", channel("#lobby"))] {
            #expect(await formatted(bot, to: target) == .sent)
            #expect(await eventually { said(wire).last == "a bold word" })
        }
        #expect(await formatted(bot, to: .nick(nick("alice"))) == .sent)
        #expect(await eventually { said(wire).last == "a \u{2}bold\u{2} word" })
        wire.send(":op!o@o MODE #lobby -c+o alice")
        try await wire.ping()
        #expect(await formatted(bot, to: .channel(channel("#lobby"))) == .sent)
        #expect(await eventually { said(wire).count == 5 && said(wire).last == "a \u{2}bold\u{2} word" })
        await bot.quit(closing: wire)
    }
}
