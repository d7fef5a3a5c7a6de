import Domain
import IRC
import TestKit
import Testing

/// Clocks, batches and bouncers on the wire: who is there is told by its order alone.
@Suite("What is told of the past", .timeLimit(.minutes(2)))
struct ReplayTests {
    private let clock = ManualTime()
    private let server: ScriptedIRCServer
    private let bot: LinkUnderTest
    private let lobby = ChannelName("#lobby", .rfc1459)

    init() throws {
        server = try ScriptedIRCServer()
        bot = LinkUnderTest(port: server.port, clock: clock)
    }

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    private func enter(
        _ capabilities: String =
            "batch message-tags server-time account-tag extended-join account-notify chghost labeled-response echo-message"
    ) async throws -> LineConnection {
        let wire = try await server.connection()
        try await wire.welcome(capabilities: capabilities)
        try await wire.admit("confab", to: "#lobby", with: ["alice", "bob"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        return wire
    }

    /// What happened since so many events.
    private func since(_ count: Int, _ wire: LineConnection) async throws -> [ChatEvent.Kind] {
        try await wire.ping("fence \(count)")
        wire.send(":fence!f@f PRIVMSG confab :fence \(count)")
        #expect(await bot.hears("fence \(count)"))
        return Array(bot.kinds[count...].dropLast())
    }

    @Test(
        "membership and identity count in the order of the wire, whatever time they carry",
        arguments: ["2000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.000Z"])
    func order(time: String) async throws {
        let wire = try await enter()
        let before = bot.kinds.count
        for line in [
            "carol!c@c JOIN #lobby * :Carol", "carol!c@c NICK caro", "caro!c@c CHGHOST cc ch",
            "caro!cc@ch ACCOUNT caro",
            "op!o@o MODE #lobby +o caro", "op!o@o KICK #lobby bob :out", "caro!cc@ch PART #lobby",
            "alice!a@home QUIT :gone",
        ] { wire.send("@time=\(time) :\(line)") }
        let seen = try await since(before, wire)
        #expect(seen.count == 8, "\(seen)")
        #expect(seen.last == .quit(nick("alice")))
        #expect(seen.contains(.left(nick("bob"), lobby)))
        await bot.quit(closing: wire)
    }

    @Test("our clock may step as it likes: whoever speaks is heard, and whoever quits is gone")
    func steps() async throws {
        let wire = try await enter()
        for (number, step) in [Duration.seconds(90), .seconds(3600), .seconds(-7200), .seconds(86_400 * 400)]
            .enumerated()
        {
            clock.stepWall(by: step)
            wire.send("@time=2026-11-30T12:00:00.000Z :alice!a@home PRIVMSG #lobby :step \(number)")
            #expect(await bot.hears("step \(number)"), "deaf after \(step)")
            wire.send("@time=2026-11-30T12:00:00.000Z :guest\(number)!g@g QUIT :gone")
            #expect(await bot.sees { $0 == .quit(nick("guest\(number)")) })
        }
        await bot.quit(closing: wire)
    }

    @Test(
        "a QUIT is one in whatever batch it comes, in one nobody opened, and among a crowd of open ones",
        arguments: [
            "netsplit", "netjoin", "labeled-response", "draft/multiline #lobby", "example.org/unknown",
            "chathistory #lobby",
            "znc.in/playback #lobby",
        ])
    func quits(type: String) async throws {
        let wire = try await enter()
        let before = bot.kinds.count
        for number in 0..<200 { wire.send(":irc.test BATCH +crowd\(number) netsplit a b") }
        wire.send(":alice!a@home BATCH +x \(type)")
        wire.send("@batch=x :alice!a@home QUIT :gone")
        wire.send("@batch=nobodys :bob!b@b QUIT :gone")
        wire.send("@label=7;batch=x :carol!c@c QUIT :gone")
        let seen = try await since(before, wire)
        for name in ["alice", "bob", "carol"] { #expect(seen.contains(.quit(nick(name))), "\(name)") }
        await bot.quit(closing: wire)
    }

    @Test("nobody comes, is renamed, given an account or a rank by history, and who is there is asked anew")
    func history() async throws {
        let wire = try await enter()
        let before = bot.kinds.count
        wire.send(":irc.test BATCH +h chathistory #lobby")
        for line in [
            "carol!c@c JOIN #lobby alice :Carol", "bob!b@b NICK alice", "dave!d@d ACCOUNT alice",
            "op!o@o MODE #lobby +o alice",
            "op!o@o MODE #lobby -o erin", "erin!e@e PRIVMSG #lobby :yesterday", "confab!confab@bot.test PART #lobby",
        ] { wire.send("@batch=h :\(line)") }
        wire.send(":irc.test BATCH -h")
        let seen = try await since(before, wire)
        #expect(
            seen == [
                .quit(nick("bob")), .quit(nick("alice")), .quit(nick("dave")),
                .ranked(nick("erin"), lobby, rank: "o", isHeld: false),
            ])
        #expect(await clock.turn { wire.lines.contains { $0.raw == "NAMES #lobby" } })
        #expect(await eventually { await bot.link.status().first?.setAsideLines == 5 })
        #expect(await clock.turn { bot.log.lines.contains { $0.contains("played back") && $0.contains("lines=5") } })
        #expect(bot.log.lines.count { $0.contains("played back") } == 1)
        await bot.quit(closing: wire)
    }
}
