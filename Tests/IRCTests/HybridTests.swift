import Domain
import IRC
import IRCProtocol
import Network
import TestKit
import Testing

@Suite("The link on ircd-hybrid, over TLS")
struct HybridTests {
    private let scratch: Scratch
    private let server: IRCDHybrid
    private let certificates: Certificates

    init() async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
        server = try await IRCDHybrid(in: scratch, certificates: certificates)
    }

    private func bot(_ channels: String...) -> LinkUnderTest {
        LinkUnderTest(
            port: server.tlsPort, channels: channels.map { ChannelSettings(name: $0) },
            tls: TLSOptions(caFile: certificates.authority))
    }

    private func nick(_ name: String) -> Nick { Nick(name, .ascii) }
    private func person(_ name: String) -> Person { Person(nick: nick(name), user: "~\(name)", host: "127.0.0.1") }
    private let lobby = ChannelName("#lobby", .ascii)

    @Test("who is there, who operates it and who is a bot is known at once, and followed")
    func members() async throws {
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let robot = try await IRCClient(nick: "robot", port: server.port)
        robot.send("MODE robot +B")
        try await robot.join("#lobby")
        let bot = bot("#lobby")
        #expect(
            await bot.sees { kind in
                guard case .members(lobby, let list) = kind else { return false }
                return Set(list.map(\.nick)) == [nick("alice"), nick("robot")]
                    && list.first { $0.nick == nick("alice") }
                        == Member(
                            nick("alice"), person: person("alice"), ranks: ["o"])
            }, "\(bot.kinds)")
        #expect(await bot.sees { $0 == .seen(person("alice"), isBot: false) })
        #expect(await bot.sees { $0 == .seen(person("robot"), isBot: true) })
        alice.send("WHO confab")
        try await alice.expect("the bot's own mark") { $0.command == "352" && $0.parameters[6].contains("B") }
        alice.send("MODE #lobby +o-o robot alice")
        #expect(await bot.sees { $0 == .ranked(nick("robot"), lobby, rank: "o", isHeld: true) })
        #expect(await bot.sees { $0 == .ranked(nick("alice"), lobby, rank: "o", isHeld: false) })
        robot.send("NICK android")
        #expect(await bot.sees { $0 == .renamed(person("robot"), to: nick("android")) })
        alice.quit()
        #expect(await bot.sees { $0 == .quit(nick("alice")) })
        robot.send("KICK #lobby confab :out")
        #expect(await bot.sees { $0 == .expelled(lobby, reason: "out") })
        await bot.quit()
    }

    @Test("what operators say among themselves is answered among them")
    func operators() async throws {
        let alice = try await IRCClient(nick: "alice", port: server.port)
        let bob = try await IRCClient(nick: "bob", port: server.port)
        for person in [alice, bob] { try await person.join("#lobby") }
        let bot = bot("#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        alice.send("MODE #lobby +o confab")
        alice.say("between us", to: "@#lobby")
        #expect(await bot.hears("between us"))
        #expect(bot.messages.last?.place == .ranks("@", lobby))
        let connection = try #require(bot.connection)
        let answer = Utterance(on: connection, to: .ranks("@", lobby), form: .message, lines: ["yes"])
        #expect(await bot.link.speak(answer) == .sent)
        #expect(await bot.say(["to all"], in: "#lobby") == .sent)
        try await alice.expectMessage(from: "confab", to: "@#lobby", containing: "yes")
        try await bob.expectMessage(from: "confab", to: "#lobby", containing: "to all")
        #expect(bob.heard(from: "confab") == ["to all"])
        await bot.quit()
    }

    @Test("a closed channel opens by invitation, and the other one is joined meanwhile")
    func invitation() async throws {
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#closed")
        alice.send("MODE #closed +i")
        let bot = bot("#closed", "#lobby")
        #expect(await bot.sees { if case .entered(lobby) = $0 { true } else { false } })
        #expect(bot.log.lines.contains { $0.contains("kept out of a channel") && $0.contains("#closed") })
        alice.send("INVITE confab #closed")
        #expect(await bot.sees { $0 == .entered(ChannelName("#closed", .ascii)) })
        await bot.quit()
    }

    @Test("the nick is had back by MONITOR when its holder goes")
    func regain() async throws {
        let holder = try await IRCClient(nick: "confab", port: server.port)
        let bot = bot("#lobby")
        #expect(await bot.sees { if case .entered = $0 { true } else { false } })
        #expect(bot.kinds.first == .online(nick: nick("confab_"), mapping: .ascii))
        holder.quit()
        #expect(await bot.sees { $0 == .ownNick(nick("confab")) })
        await bot.quit()
    }
}
