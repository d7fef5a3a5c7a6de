import TestKit
import Testing

/// The bot behind ZNC, which keeps its connection while its own to the network is lost and comes back.
@Suite(.timeLimit(.minutes(5)))
struct BouncerTests {
    private let scratch: Scratch
    private let api: ScriptedAPI
    private let ircd: NGIRCd
    private let bouncer: ZNC

    init() async throws {
        scratch = try Scratch()
        api = try ScriptedAPI { .text("echo \($0.question)") }
        ircd = try await NGIRCd(in: scratch)
        bouncer = try await ZNC(in: scratch, networkPort: ircd.port)
    }

    private func bot() throws -> ConfabProcess {
        let password = try scratch.secret(bouncer.password, named: "bouncer")
        return try ConfabProcess(
            in: scratch, port: bouncer.port, network: "tls = false\nserver_password_file = \"\(password)\"",
            pace: ConfabProcess.brisk, api: api)
    }

    private func arrives(_ nick: String, user: String? = nil, bot: String = "confab", port: Int? = nil) async throws
        -> IRCClient
    {
        let person = try await IRCClient(nick: nick, port: port ?? ircd.port, user: user)
        try await person.meet(bot, in: "#confab")
        return person
    }

    private func registered(_ nick: String) async throws -> IRCClient {
        let person = try await arrives(nick)
        try await person.register()
        try await asks(person, "a canary of \(nick)")
        return person
    }

    private func asks(_ person: IRCClient, _ question: String, bot: String = "confab") async throws {
        person.say(question, to: "#confab")
        try await person.expectMessage(from: bot, to: "#confab", containing: "echo \(question)")
    }

    private func isStranger(_ person: IRCClient, bot: String = "confab") async throws {
        person.say("words of \(person.nick), a stranger", to: "#confab")
        person.say("HISTORY", to: bot)
        try await person.expectNotice(from: bot, containing: "not logged in")
        #expect(!person.heard(from: bot).contains { $0.contains("canary") })
        #expect(!api.requests.contains { $0.body.contains("words of \(person.nick), a stranger") })
    }

    @Test func `when the network was away every login has ended, and the bot answers whoever logs in again`()
        async throws
    {
        let bot = try bot()
        _ = try await registered("alice")
        let bob = try await registered("bob")
        // All of them go while nobody tells the bot, and others have their nicks and addresses before the bouncer is back.
        bouncer.program.signal(19)
        ircd.program.kill()
        _ = await eventually { bob.isClosed }
        let again = try await NGIRCd(in: scratch, port: ircd.port)
        let impostor = try await IRCClient(nick: "alice", port: again.port, user: "alice")
        try await impostor.join("#confab")
        bouncer.program.signal(18)
        try await impostor.expect("the bot") { $0.command == "JOIN" && $0.source == "confab" && $0.text == "#confab" }
        try await isStranger(impostor)
        let other = try await arrives("bob", user: "bob")
        try await isStranger(other)
        let carol = try await arrives("carol")
        other.say("LOGIN bob correct-horse", to: "confab")
        try await other.expectNotice(from: "confab", containing: "You are logged in as bob")
        try await asks(other, "is anybody there?")
        carol.quit()
        try await asks(other, "and now?")
        #expect(await bot.stop() == 0)
        withExtendedLifetime(again) {}
    }

    @Test func `what a bouncer plays back is not answered, whatever it is, and what is said now is`() async throws {
        let bot = try bot()
        let alice = try await registered("alice")
        #expect(await bot.stop() == 0)
        for number in 1...5 { alice.say("confab: said to nobody \(number)", to: "#confab") }
        alice.say("LOGIN alice correct-horse", to: "confab")
        alice.say("confab: said in private", to: "confab")
        // The server takes lines as slowly as it likes, but in order.
        alice.send("PING :all is said")
        try await alice.expect("the PONG") { $0.command == "PONG" }
        let again = try ConfabProcess(again: scratch)
        // Its log goes on where that of the first one ended.
        let isBack = await eventually { again.program.output.ranges(of: "joined").count == 2 }
        #expect(isBack, "\(again.program.output.suffix(500))")
        alice.say("HISTORY", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "not logged in")
        alice.say("LOGIN alice correct-horse", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "You are logged in as alice")
        try await asks(alice, "said now")
        #expect(!api.requests.contains { $0.body.contains("said to nobody") || $0.body.contains("said in private") })
        #expect(await again.stop() == 0)
    }

    @Test func `what another client of the bouncer says under the bot's nick is nobody's question`() async throws {
        let bot = try bot()
        let alice = try await registered("alice")
        let operatorClient = try await IRCClient(nick: "confab", port: bouncer.port, password: bouncer.password)
        operatorClient.say("alice: the operator speaks", to: "#confab")
        operatorClient.say("a word in private", to: "alice")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "the operator speaks")
        try await asks(alice, "who was that?")
        #expect(!api.requests.contains { $0.question.contains("operator speaks") || $0.question.contains("a word in") })
        // The bot's own lines come back to that client, and another's to the bot, without a loop.
        operatorClient.quit()
        try await asks(alice, "and now?")
        #expect(await bot.stop() == 0)
    }

    @Test func `under another nick after the return the bot is that one, and whoever has the former one is a stranger`()
        async throws
    {
        let bot = try bot()
        _ = try await registered("alice")
        bouncer.program.signal(19)
        ircd.program.kill()
        let again = try await NGIRCd(in: scratch, port: ircd.port)
        let thief = try await IRCClient(nick: "confab", port: again.port, user: "confab")
        try await thief.join("#confab")
        bouncer.program.signal(18)
        try await thief.expect("the bot") { $0.command == "JOIN" && $0.source == "confab_" }
        let alice = try await arrives("alice", user: "alice", bot: "confab_")
        thief.say("confab_: words of the thief", to: "#confab")
        try await isStranger(alice, bot: "confab_")
        alice.say("LOGIN alice correct-horse", to: "confab_")
        // Passwords are not to be said to just any nick: the bot says so under another one than its own.
        try await alice.expect("a word of the bot") { $0.command == "NOTICE" && $0.source == "confab_" }
        #expect(!api.requests.contains { $0.body.contains("words of the thief") })
        #expect(await bot.stop() == 0)
        withExtendedLifetime(again) {}
    }
}
