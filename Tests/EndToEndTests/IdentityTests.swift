import TestKit
import Testing

/// The threats to a login that only real servers show as they are.
@Suite(.timeLimit(.minutes(3)))
struct IdentityTests {
    private let scratch: Scratch
    private let api: ScriptedAPI

    init() throws {
        scratch = try Scratch()
        api = try ScriptedAPI { .text("echo \($0.question)") }
    }

    private func bot(on port: Int, network: String = "tls = false") throws -> ConfabProcess {
        try ConfabProcess(in: scratch, port: port, network: network, pace: ConfabProcess.brisk, api: api)
    }

    private func registered(_ nick: String, on port: Int) async throws -> IRCClient {
        let person = try await IRCClient(nick: nick, port: port)
        try await person.meet(in: "#confab")
        try await person.register()
        person.say("a canary of \(nick)", to: "#confab")
        try await person.expectMessage(from: "confab", to: "#confab", containing: "echo a canary of \(nick)")
        return person
    }

    private func leaves(_ person: IRCClient) async {
        person.quit()
        _ = await eventually { person.isClosed }
    }

    /// Nothing this person says is asked, and no history is shown.
    private func isStranger(_ person: IRCClient, in channel: String? = "#confab") async throws {
        if let channel { person.say("words of a stranger", to: channel) }
        person.say("HISTORY", to: "confab")
        try await person.expectNotice(from: "confab", containing: "not logged in")
        #expect(!person.heard(from: "confab").contains { $0.contains("canary") })
        #expect(!api.requests.contains { $0.body.contains("words of a stranger") })
    }

    @Test func `whoever takes the nick after QUIT is a stranger, even from the same user and host`() async throws {
        let server = try await NGIRCd(in: scratch)
        let bot = try bot(on: server.port)
        await leaves(try await registered("alice", on: server.port))
        let impostor = try await IRCClient(nick: "alice", port: server.port, user: "alice")
        try await impostor.meet(in: "#confab")
        try await isStranger(impostor)
        #expect(await bot.stop() == 0)
    }

    @Test func `a QUIT that the bot cannot see leaves nothing behind`() async throws {
        let server = try await NGIRCd(in: scratch)
        let bot = try bot(on: server.port)
        let alice = try await registered("alice", on: server.port)
        alice.send("PART #confab")
        try await alice.expectNotice(from: "confab", containing: "logged out")
        await leaves(alice)
        let impostor = try await IRCClient(nick: "alice", port: server.port, user: "alice")
        try await isStranger(impostor, in: nil)
        try await impostor.meet(in: "#confab")
        try await isStranger(impostor)
        #expect(await bot.stop() == 0)
    }

    @Test func `without a shared channel a login lasts as long as the server sees the nick, and nobody inherits it`()
        async throws
    {
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates, withServices: false)
        let bot = try bot(on: server.port)
        await leaves(try await registered("alice", on: server.port))
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await logsInUnshared(alice)
        alice.say("a question in private", to: "confab")
        try await alice.expectMessage(from: "confab", to: "alice", containing: "echo a question in private")
        await leaves(alice)
        let impostor = try await IRCClient(nick: "alice", port: server.port)
        try await isStranger(impostor, in: nil)
        try await logsInUnshared(impostor)
        impostor.send("NICK somebody")
        try await impostor.expect("the new nick") { $0.command == "NICK" }
        try await isStranger(impostor, in: nil)
        let another = try await IRCClient(nick: "alice", port: server.port)
        try await isStranger(another, in: nil)
        #expect(await bot.stop() == 0)
    }

    private func logsInUnshared(_ person: IRCClient) async throws {
        person.say("LOGIN alice correct-horse", to: "confab")
        try await person.expectNotice(from: "confab", containing: "You are logged in as alice")
    }

    @Test func `an impostor on the other side of a netsplit is a stranger`() async throws {
        let near = try await NGIRCd(in: scratch, name: "near.test", peer: "far.test")
        let far = try await NGIRCd(in: scratch, name: "far.test", linkedTo: ("near.test", near.port))
        let bot = try bot(on: near.port)
        let alice = try await registered("alice", on: far.port)
        far.program.kill()
        _ = await eventually { alice.isClosed }
        let impostor = try await IRCClient(nick: "alice", port: near.port, user: "alice")
        try await impostor.meet(in: "#confab")
        try await isStranger(impostor)
        #expect(await bot.stop() == 0)
    }

    @Test func `twins of casemapping are two people where the server says ascii`() async throws {
        let server = try await NGIRCd(in: scratch)
        let bot = try bot(on: server.port)
        let alice = try await registered("alice", on: server.port)
        alice.send("NICK a[b")
        try await alice.expect("the new nick") { $0.command == "NICK" }
        let twin = try await IRCClient(nick: "a{b", port: server.port, user: "twin")
        try await twin.meet(in: "#confab")
        try await isStranger(twin)
        alice.say("WHOAMI", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "logged in as alice")
        #expect(await bot.stop() == 0)
    }

    @Test func `one nick in two spellings is one person where the server says rfc1459, and a new host is followed`()
        async throws
    {
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates, withServices: false)
        let bot = try bot(on: server.port)
        let alice = try await registered("alice", on: server.port)
        alice.send("NICK a[b")
        try await alice.expect("the new nick") { $0.command == "NICK" }
        alice.send("NICK A{B")
        try await alice.expect("the new spelling") { $0.command == "NICK" }
        alice.say("WHOAMI", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "logged in as alice")
        // Puts a cloak on: another host, announced by CHGHOST.
        alice.send("MODE A{B +x")
        try await alice.expect("the mode") { $0.command == "MODE" }
        alice.say("WHOAMI", to: "confab")
        let line = try await alice.expectNotice(from: "confab", containing: "logged in as alice")
        #expect(line.contains("@net-"))
        #expect(await bot.stop() == 0)
    }

    @Test func `a linked services account logs in without a password, also after a restart of the bot`() async throws {
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(account: "alice", password: "services-password")
        let bot = try bot(on: server.port, network: "tls = false\ntrust_services = true")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        alice.say("IDENTIFY services-password", to: "NickServ")
        try await alice.expectNotice(from: "NickServ", containing: "now identified")
        try await alice.meet(in: "#confab")
        try await alice.register()
        alice.say("LINK correct-horse", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "Linked: whoever is logged in to services")
        await leaves(alice)

        // Another nick, another user, and services learn of it after the join.
        let back = try await IRCClient(nick: "alice_phone", port: server.port, user: "phone")
        try await back.meet(in: "#confab")
        back.say("IDENTIFY alice services-password", to: "NickServ")
        try await back.expectNotice(from: "confab", containing: "logged in as alice, by your services account")
        let impostor = try await IRCClient(nick: "alice", port: server.port, user: "alice")
        try await impostor.meet(in: "#confab")
        try await isStranger(impostor)

        #expect(await bot.stop() == 0)
        let again = try ConfabProcess(again: scratch)
        try await back.expect("the bot again") { $0.command == "JOIN" && $0.source == "confab" }
        back.say("do you know me?", to: "#confab")
        try await back.expectMessage(from: "confab", to: "#confab", containing: "echo do you know me?")
        try await isStranger(impostor)
        back.say("LOGOUT", to: "NickServ")
        try await back.expectNotice(from: "confab", containing: "Your services account changed")
        back.say("HISTORY", to: "confab")
        try await back.expectNotice(from: "confab", containing: "not logged in")
        #expect(await again.stop() == 0)
    }
}
