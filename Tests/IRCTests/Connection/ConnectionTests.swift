import Domain
import IRC
import IRCProtocol
import IRCTestKit
import Network
import Runtime
import Synchronization
import TestKit
import Testing

@Suite("Connections that begin, fail and begin again")
struct ConnectionTests {
    private let clock = ManualTime()
    private let lobby = ChannelName("#lobby", .rfc1459)

    private static func plain(isRequired: Bool) -> SASLSettings {
        SASLSettings(
            mechanisms: [.plain], account: "bot", password: Secret("canary-sesame"), isRequired: isRequired)
    }

    /// Plays a server with SASL up to the payload, and returns that.
    private func saslPayload(_ wire: LineConnection) async throws -> String {
        _ = try await wire.expect("CAP LS") { $0.raw == "CAP LS 302" }
        wire.send(":irc.test CAP * LS :sasl=PLAIN")
        _ = try await wire.expect("CAP REQ") { $0.raw == "CAP REQ :sasl" }
        wire.send(":irc.test CAP * ACK :sasl")
        _ = try await wire.expect("the mechanism") { $0.raw == "AUTHENTICATE PLAIN" }
        wire.send("AUTHENTICATE +")
        return try await wire.expect("the payload") { $0.command == "AUTHENTICATE" }.text
    }

    @Test("logs in by SASL before anything is joined, and the password is in no log")
    func sasl() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, sasl: Self.plain(isRequired: true), isInsecureAllowed: true)
        let wire = try await server.connection()
        let payload = try await saslPayload(wire)
        #expect(payload == "Ym90AGJvdABjYW5hcnktc2VzYW1l")
        #expect(!wire.lines.contains { $0.command == "JOIN" || $0.raw == "CAP END" })
        wire.send(":irc.test 900 confab confab!c@h bot :You are now logged in as bot")
        wire.send(":irc.test 903 confab :SASL authentication successful")
        _ = try await wire.expect("CAP END") { $0.raw == "CAP END" }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { $0 == .entered(lobby) })
        await bot.quit(closing: wire)
        #expect(bot.log.lines.contains { $0.contains("logged in to services") && $0.contains("account=bot") })
        #expect(!bot.log.lines.contains { $0.contains("canary") || $0.contains("Ym90AG") })
    }

    @Test("a required login that fails ends the network with the reason, and nothing is ever joined")
    func saslFails() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, sasl: Self.plain(isRequired: true), isInsecureAllowed: true)
        let wire = try await server.connection()
        _ = try await saslPayload(wire)
        wire.send(":irc.test 904 confab :SASL authentication failed")
        #expect(try await bot.givesUp(on: wire) == "login failed: SASL authentication failed")
        #expect(!wire.lines.contains { $0.command == "JOIN" })
        #expect(server.connectionCount == 1)
    }

    @Test("a wrong server password ends the network; its words are in the log, the password is not")
    func serverPassword() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, serverPassword: Secret("100%d%s canary"))
        let wire = try await server.connection()
        _ = try await wire.expect("PASS") { $0.raw == "PASS :100%d%s canary" }
        wire.send(":irc.test 464 confab :Password incorrect")
        await bot.ended()
        #expect(bot.link.failures[LinkUnderTest.network]?.contains("Password incorrect") == true)
        #expect(!bot.log.lines.contains { $0.contains("canary") })
    }

    @Test("a lost connection is told, waited after, and begun again as another one")
    func reconnect() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let first = try await server.connection(0)
        try await first.welcome()
        try await first.admit("confab", to: "#lobby")
        #expect(await bot.sees { $0 == .entered(lobby) })
        let old = try #require(bot.connection)
        first.close()
        #expect(await bot.sees { if case .offline = $0 { true } else { false } })
        #expect(server.connectionCount == 1)
        #expect(await clock.turn { server.connectionCount == 2 })
        let second = try await server.connection(1)
        try await second.welcome()
        try await second.admit("confab", to: "#lobby")
        #expect(await eventually { bot.kinds.count { $0 == .entered(lobby) } == 2 })
        #expect(bot.connection?.epoch != old.epoch)
        await bot.quit(closing: second)
    }

    @Test("a throttling server is left alone for a minute at least")
    func throttled() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        let begin = clock.time.now()
        wire.send("ERROR :Trying to reconnect too fast.")
        #expect(await clock.turn { server.connectionCount == 2 })
        #expect(clock.time.now() - begin >= .seconds(60))
        try await server.connection(1).close()
        await bot.quit()
    }

    @Test("a ban that a numeric and an ERROR tell together is waited out as long as both say")
    func banned() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        let begin = clock.time.now()
        wire.send(":irc.test 465 confab :You are banned")
        wire.send("ERROR :Closing link: (c@h) [Z-lined: Your IP range connects too many times]")
        #expect(await clock.turn { server.connectionCount == 2 })
        #expect(clock.time.now() - begin >= .seconds(600))
        #expect(bot.log.lines.contains { $0.contains("You are banned; closed by the server: Closing link") })
        // Whoever was online before waits a ban out too; whoever never was has the wrong configuration.
        let second = try await server.connection(1)
        try await second.welcome()
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        let online = clock.time.now()
        second.send("ERROR :Closing Link: h (G-Lined)")
        #expect(await clock.turn { server.connectionCount == 3 })
        #expect(clock.time.now() - online >= .seconds(1800))
        let third = try await server.connection(2)
        third.send(":irc.test 464 confab :Password incorrect")
        await bot.ended()
    }

    @Test("the waits grow while connections do not last, and begin anew once one has")
    func backoff() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        var waits: [Duration] = []
        for number in 0..<5 {
            let wire = try await server.connection(number)
            try await wire.welcome()
            #expect(await eventually { bot.kinds.count { if case .online = $0 { true } else { false } } == number + 1 })
            if number == 3 { clock.advance(by: .seconds(121)) }
            let lost = clock.time.now()
            wire.close()
            #expect(await clock.turn { server.connectionCount == number + 2 })
            waits.append(clock.time.now() - lost)
        }
        #expect(waits[0] < .seconds(9) && waits[1] >= .seconds(21) && waits[2] >= .seconds(42))
        #expect(waits[3] < .seconds(9), "the fourth connection lasted two minutes")
        #expect(waits[4] >= .seconds(21))
        try await server.connection(5).close()
        await bot.quit()
    }

    @Test("a welcome that crosses the bot's goodbye changes nothing")
    func lateWelcome() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        _ = try await wire.expect("USER") { $0.command == "USER" }
        await bot.link.quit("over")
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.send(":irc.test 001 confab :Welcome")
        wire.send(":irc.test 422 confab :No message of the day")
        await bot.ended()
        #expect(bot.kinds.isEmpty)
    }

    @Test("a server that goes silent is asked, and then left")
    func silent() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome()
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        clock.advance(by: .seconds(80))
        _ = try await wire.expect("PING") { $0.command == "PING" }
        clock.advance(by: .seconds(50))
        try await wire.ping()
        clock.advance(by: .seconds(80))
        _ = try await wire.expect("another PING") { $0.command == "PING" }
        #expect(!bot.kinds.contains { if case .offline = $0 { true } else { false } })
        #expect(await eventually { clock.sleeperCount > 0 })
        clock.advance(by: .seconds(60))
        #expect(await bot.sees { $0 == .offline(reason: "the server has fallen silent") })
        await bot.quit()
    }

    @Test("a port that accepts and says nothing is left when the registration takes too long")
    func mute() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        // A server that does not know capabilities is told who comes after a while.
        #expect(await clock.turn { wire.lines.contains { $0.command == "USER" } })
        #expect(await clock.turn { wire.isClosed })
        let reason = "did not finish the registration in time"
        #expect(await eventually { bot.log.lines.contains { $0.contains(reason) } })
        #expect(!bot.kinds.contains { if case .offline = $0 { true } else { false } })
        await bot.quit()
    }

    @Test("a PING before the welcome is answered, and a server that sends no message of the day is no obstacle")
    func pingBeforeWelcome() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        // A server that does not know capabilities is told who comes after a while.
        #expect(await clock.turn { wire.lines.contains { $0.command == "USER" } })
        wire.send("PING :cookie")
        _ = try await wire.expect("PONG") { $0.raw == "PONG :cookie" }
        wire.send(":irc.test 001 confab :hi")
        try await wire.ping()
        // The watchdog's sleep and the one that ends the wait for a message of the day.
        #expect(await eventually { clock.sleeperCount == 2 })
        clock.advance(by: .seconds(2))
        _ = try await wire.expect("JOIN") { $0.raw == "JOIN #lobby" }
        await bot.quit(closing: wire)
    }

    @Test("channels are joined with their keys, and a refusal is tried again after five minutes")
    func refusedJoin() async throws {
        let server = try ScriptedIRCServer()
        let channels = [ChannelSettings(name: "#lobby", key: Secret("canary")), ChannelSettings(name: "#open")]
        let bot = LinkUnderTest(port: server.port, channels: channels, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome()
        _ = try await wire.expect("JOIN") { $0.raw == "JOIN #lobby :canary" }
        wire.send(":irc.test 473 confab #lobby :Cannot join channel (+i)")
        try await wire.admit("confab", to: "#open")
        #expect(await bot.sees { $0 == .entered(ChannelName("#open", .rfc1459)) })
        let begin = clock.time.now()
        #expect(await clock.turn { wire.lines.count { $0.raw == "JOIN #lobby :canary" } == 2 })
        #expect(clock.time.now() - begin >= .seconds(299))
        #expect(!bot.log.lines.contains { $0.contains("canary") })
        await bot.quit(closing: wire)
    }

    @Test("a kick is told, and answered by one return after a minute")
    func kick() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, clock: clock)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        wire.send(":op!o@o KICK #lobby confab :behave")
        #expect(await bot.sees { $0 == .expelled(lobby, reason: "behave") })
        let begin = clock.time.now()
        #expect(await clock.turn { wire.lines.count { $0.raw == "JOIN #lobby" } == 2 })
        #expect(clock.time.now() - begin >= .seconds(59))
        await bot.quit(closing: wire)
    }

    @Test("a channel the bot was forwarded or forced to is left at once and never spoken of")
    func forwarded() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        _ = try await wire.expect("JOIN") { $0.raw == "JOIN #lobby" }
        wire.send(":irc.test 470 confab #lobby ##overflow :Forwarding to another channel")
        wire.send(":confab!confab@bot.test JOIN ##overflow")
        wire.send(":irc.test 353 confab = ##overflow :confab alice")
        wire.send(":irc.test 366 confab ##overflow :End of /NAMES list")
        _ = try await wire.expect("PART") { $0.raw == "PART ##overflow" }
        wire.send(":alice!a@home PRIVMSG confab :still here")
        #expect(await bot.hears("still here"))
        #expect(bot.kinds.count == 2)
        await bot.quit(closing: wire)
    }

    @Test("a server without capabilities and ISUPPORT works too")
    func old() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        _ = try await wire.expect("USER") { $0.command == "USER" }
        wire.send(":irc.test 421 confab CAP :Unknown command")
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 422 confab :no motd")
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { $0 == .entered(lobby) })
        #expect(!wire.lines.contains { $0.raw == "CAP END" })
        await bot.quit(closing: wire)
    }

    @Test("networks do not touch each other: one that fails leaves the other alone, and run ends after both")
    func twoNetworks() async throws {
        let good = try ScriptedIRCServer()
        let bad = try ScriptedIRCServer()
        let settings = [("good", good.port), ("bad", bad.port)].map { name, port in
            NetworkSettings(
                name: NetworkName(name),
                endpoint: PipeEndpoint(host: "127.0.0.1", port: port, tls: nil, connectTimeout: .seconds(10)))
        }
        let link = IRCLink(
            identity: .ofTests(), networks: settings, log: MemoryLog().log, time: .system)
        let running = Task { await link.run() }
        let wire = try await good.connection()
        try await wire.welcome()
        let refusing = try await bad.connection()
        refusing.send(":irc.test 465 confab :You are banned")
        #expect(await eventually { link.failures.count == 1 })
        #expect(link.failures[NetworkName("bad")]?.contains("banned") == true)
        try await wire.ping()
        await link.quit("over")
        _ = try await wire.expect("QUIT") { $0.raw == "QUIT :over" }
        wire.close()
        await running.value
    }

    @Test("a reader that is behind slows the server down and loses nothing")
    func backPressure() async throws {
        let server = try ScriptedIRCServer()
        let endpoint = PipeEndpoint(host: "127.0.0.1", port: server.port, tls: nil, connectTimeout: .seconds(10))
        let link = IRCLink(
            identity: .ofTests(), networks: [NetworkSettings(name: NetworkName("n"), endpoint: endpoint)],
            log: MemoryLog().log, time: .system)
        let running = Task { await link.run() }
        let wire = try await server.connection()
        try await wire.welcome()
        // More than the kernel takes on its own.
        let total = 60_000
        let padding = String(repeating: "x", count: 400)
        // Blocks when the bot stops reading, so it needs a thread that nobody else waits for.
        let sent = Mutex(0)
        Thread.start(name: "flood") {
            for number in 0..<total {
                wire.send(":alice!a@home PRIVMSG confab :\(number) \(padding)")
                sent.withLock { $0 = number }
            }
        }
        var heard = 0
        for await event in link.events {
            guard case .message(let message) = event.kind else { continue }
            if heard == 0 {
                // The reader goes on when the server has stood still for some looks.
                let looks = Mutex((before: 0, same: 0))
                let standsStill = await eventually {
                    let now = sent.withLock { $0 }
                    return looks.withLock { looks in
                        looks = (now, now == looks.before ? looks.same + 1 : 0)
                        return looks.same == 20
                    }
                }
                #expect(standsStill && sent.withLock { $0 } < total - 1, "nothing slowed the server down")
            }
            #expect(message.text == "\(heard) \(padding)")
            heard += 1
            if heard == total { break }
        }
        #expect(heard == total)
        wire.close()
        await link.quit("over")
        await running.value
    }

    @Test("the check of a network tells what works, and joins nothing")
    func check() async throws {
        let server = try ScriptedIRCServer()
        let settings = NetworkSettings(
            name: NetworkName("n"),
            endpoint: PipeEndpoint(host: "127.0.0.1", port: server.port, tls: nil, connectTimeout: .seconds(10)),
            channels: [ChannelSettings(name: "#lobby")])
        async let findings = LinkCheck.check(settings, identity: .ofTests(), log: MemoryLog().log)
        let wire = try await server.connection()
        try await wire.welcome(support: "NETWORK=Test")
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        #expect(
            try await findings == [
                "connected to 127.0.0.1 port \(server.port) in clear text", "registered as confab on Test",
            ])
        #expect(!wire.lines.contains { $0.command == "JOIN" })
    }

    @Test("the check of a network that is not there says why")
    func failedCheck() async throws {
        let server = try ScriptedIRCServer()
        server.close()
        let settings = NetworkSettings(
            name: NetworkName("n"),
            endpoint: PipeEndpoint(host: "127.0.0.1", port: server.port, tls: nil, connectTimeout: .seconds(10)))
        await #expect(throws: LinkCheckFailure.self) {
            _ = try await LinkCheck.check(settings, identity: .ofTests(), log: MemoryLog().log)
        }
    }
}
