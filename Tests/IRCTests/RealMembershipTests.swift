import Domain
import IRC
import TestKit
import Testing

@Suite("Nicks and people on real servers")
struct RealMembershipTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("on ngircd, without MONITOR, the nick is had back when its holder is seen to quit")
    func seen() async throws {
        let server = try await NGIRCd(in: scratch)
        let holder = try await IRCClient(nick: "confab", port: server.port)
        try await holder.join("#lobby")
        let bot = LinkUnderTest(port: server.port)
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        #expect(bot.kinds.first == .online(nick: Nick("confab_", .ascii), mapping: .ascii))
        holder.quit()
        #expect(await bot.sees { $0 == .ownNick(Nick("confab", .ascii)) })
        await bot.quit()
    }

    @Test("on InspIRCd MONITOR tells that the nick is free, also of a holder in no channel")
    func monitored() async throws {
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates, withServices: false)
        let holder = try await IRCClient(nick: "confab", port: server.port)
        let bot = LinkUnderTest(port: server.port)
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        holder.send("NICK somebody")
        #expect(await bot.sees { $0 == .ownNick(Nick("confab", .rfc1459)) })
        await bot.quit()
    }

    @Test("on two linked ngircds those behind a netsplit have quit, and are there again when they are")
    func netsplit() async throws {
        let near = try await NGIRCd(in: scratch, name: "near.test", peer: "far.test")
        let far = try await NGIRCd(in: scratch, name: "far.test", linkedTo: ("near.test", near.port))
        let lobby = ChannelName("#lobby", .ascii)
        let bot = LinkUnderTest(port: near.port)
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        let alice = try await IRCClient(nick: "alice", port: far.port)
        let bob = try await IRCClient(nick: "bob", port: near.port)
        for person in [alice, bob] { try await person.join("#lobby") }
        let isAlice = { @Sendable (kind: ChatEvent.Kind) in
            guard case .joined(let person, lobby) = kind else { return false }
            return person.nick == Nick("alice", .ascii)
        }
        #expect(await bot.sees(isAlice))
        far.program.kill()
        #expect(await bot.sees { $0 == .quit(Nick("alice", .ascii)) })
        let again = try await NGIRCd(in: scratch, port: far.port, name: "far.test", linkedTo: ("near.test", near.port))
        let back = try await IRCClient(nick: "alice", port: again.port)
        try await back.join("#lobby")
        #expect(await eventually { bot.kinds.filter(isAlice).count == 2 })
        #expect(!bot.kinds.contains(.quit(Nick("bob", .ascii))))
        await bot.quit()
    }
}
