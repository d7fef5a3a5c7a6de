import Domain
import IRC
import IRCTestKit
import Network
import Runtime
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol

@Suite("Logins on a connection")
struct LoginTests {
    private let clock = ManualTime()

    /// Plays a server up to the first mechanism.
    private func mechanism(_ wire: LineConnection, offered: String) async throws -> String {
        _ = try await wire.expect("CAP LS") { $0.raw == "CAP LS 302" }
        wire.send(":irc.test CAP * LS :sasl=\(offered)")
        _ = try await wire.expect("CAP REQ") { $0.raw == "CAP REQ :sasl" }
        wire.send(":irc.test CAP * ACK :sasl")
        return try await payload(wire)
    }

    private func payload(_ wire: LineConnection) async throws -> String {
        try await wire.expect("AUTHENTICATE") { $0.command == "AUTHENTICATE" }.text
    }

    private func welcome(_ wire: LineConnection) async throws {
        _ = try await wire.expect("CAP END") { $0.raw == "CAP END" }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        try await wire.admit("confab", to: "#lobby")
    }

    @Test("by SCRAM the link goes on while the password is stretched, and nothing of it is on the wire or in the log")
    func scram() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, sasl: .by(.scramSHA512, .plain))
        let wire = try await server.connection()
        #expect(try await mechanism(wire, offered: "PLAIN,SCRAM-SHA-512") == "SCRAM-SHA-512")
        wire.send("AUTHENTICATE +")
        var services = SCRAMServer(.sha512, password: "sesame", iterations: SCRAM.maxIterations)
        wire.send("AUTHENTICATE \(services.offer(to: try await payload(wire)))")
        wire.send("PING :still there?")
        let pong = try await wire.expect("PONG") { $0.command == "PONG" }
        services.take(try await payload(wire))
        #expect(services.isProofRight)
        let proof = try #require(wire.lines.last { $0.command == "AUTHENTICATE" })
        #expect(proof.receivedAt - pong.receivedAt > .milliseconds(50), "the PONG did not wait for the proof")
        wire.send("AUTHENTICATE \(services.signature)")
        #expect(try await payload(wire) == "+")
        wire.send(":irc.test 900 confab confab!c@h bot :You are now logged in as bot")
        wire.send(":irc.test 903 confab :SASL authentication successful")
        try await welcome(wire)
        #expect(await bot.sees { if case .entered = $0 { true } else { false } })
        await bot.quit()
        #expect(bot.log.lines.contains { $0.contains("account=bot") && $0.contains("by=SCRAM-SHA-512") })
        #expect(!wire.lines.contains { $0.raw.contains("sesame") || $0.raw.contains("Ym90AG") })
        #expect(!bot.log.lines.contains { $0.contains("sesame") })
    }

    @Test(
        "services that fall silent cost fifteen seconds, then the bot goes on without, and is in before servers give up"
    )
    func silent() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, sasl: .by(.scramSHA256, isRequired: false), clock: clock)
        let wire = try await server.connection()
        let began = clock.time.now()
        _ = try await mechanism(wire, offered: "SCRAM-SHA-256")
        #expect(await clock.turn { wire.lines.contains { $0.raw == "CAP END" } })
        #expect(clock.time.now() - began <= .seconds(17))
        try await welcome(wire)
        wire.send(":irc.test 904 confab :aborted")
        #expect(await bot.sees { if case .entered = $0 { true } else { false } })
        #expect(bot.log.lines.count { $0.contains("goes on without SASL login") } == 1)
        await bot.quit()
    }

    @Test("a required login on a silent server ends the network, with a clear reason and no JOIN")
    func silentAndRequired() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, sasl: .by(.scramSHA256), clock: clock)
        let wire = try await server.connection()
        _ = try await mechanism(wire, offered: "SCRAM-SHA-256")
        #expect(await clock.turn { wire.lines.contains { $0.command == "QUIT" } })
        wire.close()
        await bot.ended()
        #expect(bot.link.failures[LinkUnderTest.network] == "login failed: services did not answer in time")
        #expect(!wire.lines.contains { $0.command == "JOIN" || $0.raw == "CAP END" })
    }

    // MARK: NickServ

    /// Plays a server to the end of its welcome, and returns the line that services get.
    private func identification(_ wire: LineConnection) async throws -> String {
        _ = try await wire.expect("CAP LS") { $0.command == "CAP" }
        wire.send(":irc.test 421 confab CAP :Unknown command")
        _ = try await wire.expect("USER") { $0.command == "USER" }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        return try await wire.expect("the line to services") { $0.raw.contains("IDENTIFY") }.raw
    }

    @Test(
        "NickServ is asked after the welcome, and channels are joined when it has answered; the password is in no log")
    func nickServ() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, nickServ: .identify(), isInsecureAllowed: true)
        let wire = try await server.connection()
        #expect(try await identification(wire) == "PRIVMSG NickServ :IDENTIFY bot canary-sesame")
        wire.send(":mallory!m@h NOTICE confab :You are now identified for bot.")
        wire.send(":NickServ!n@s NOTICE confab :This nickname is registered. IDENTIFY with your password.")
        try await wire.ping()
        #expect(!wire.lines.contains { $0.command == "JOIN" })
        wire.send(":NickServ!n@s NOTICE confab :You are now identified for \u{2}bot\u{2}.")
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .entered = $0 { true } else { false } })
        await bot.quit()
        #expect(bot.log.lines.contains { $0.contains("account=bot") && $0.contains("by=NickServ") })
        #expect(!bot.log.lines.contains { $0.contains("canary") })
        #expect(wire.lines.count { $0.raw.contains("canary") } == 1)
        #expect(bot.messages.isEmpty)
    }

    @Test(
        "a no of NickServ ends the network where the login is required, and is told once where it is not",
        arguments: [true, false])
    func nickServRefuses(isRequired: Bool) async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(
            port: server.port, nickServ: .identify(isRequired: isRequired), isInsecureAllowed: true)
        let wire = try await server.connection()
        _ = try await identification(wire)
        wire.send(":NickServ!n@s NOTICE confab :Invalid password for bot (canary-sesame).")
        if isRequired {
            let reason = "login failed: NickServ: Invalid password for bot ((secret))."
            #expect(try await bot.givesUp(on: wire) == reason)
            #expect(!wire.lines.contains { $0.command == "JOIN" })
        } else {
            try await wire.admit("confab", to: "#lobby")
            await bot.quit()
            #expect(bot.log.lines.count { $0.contains("goes on without a login") } == 1)
        }
        #expect(server.connectionCount == 1)
        #expect(wire.lines.count { $0.raw.contains("IDENTIFY") } == 1)
        #expect(!bot.log.lines.contains { $0.contains("canary") })
    }

    @Test("NickServ that does not answer is waited for fifteen seconds; numeric 900 is an answer")
    func nickServIsSilent() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(
            port: server.port, nickServ: .identify(isRequired: false), isInsecureAllowed: true, clock: clock)
        let wire = try await server.connection()
        _ = try await identification(wire)
        let began = clock.time.now()
        #expect(await clock.turn { wire.lines.contains { $0.command == "JOIN" } })
        #expect(clock.time.now() - began >= .seconds(14))
        #expect(bot.log.lines.contains { $0.contains("NickServ: no answer in time") })
        await bot.quit()
        let other = LinkUnderTest(port: server.port, nickServ: .identify(), isInsecureAllowed: true)
        let second = try await server.connection(1)
        _ = try await identification(second)
        second.send(":irc.test 900 confab confab!c@h bot :You are now logged in as bot")
        try await second.admit("confab", to: "#lobby")
        await other.quit()
    }

    @Test("in clear text NickServ gets the password only with leave")
    func nickServInClear() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, nickServ: .identify())
        let wire = try await server.connection()
        _ = try await wire.expect("USER") { $0.command == "USER" }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        #expect(try await bot.givesUp(on: wire)?.contains("insecure = true") == true)
        #expect(!wire.lines.contains { $0.raw.contains("canary") })
    }

    @Test("a login that SASL requires, and NickServ cannot give either, is the end")
    func neither() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(
            port: server.port, sasl: .by(.plain), nickServ: .identify(isRequired: false), isInsecureAllowed: true)
        let wire = try await server.connection()
        wire.send(":irc.test CAP * LS :batch")
        _ = try await identification(wire)
        wire.send(":irc.test 401 confab NickServ :No such nick")
        #expect(try await bot.givesUp(on: wire) == "login failed: NickServ: No such nick")
        #expect(!wire.lines.contains { $0.command == "JOIN" })
    }

    @Test(
        "NickServ is asked where SASL was not to be had, and not where it logged in or was refused",
        arguments: ["nothing", "login", "refusal"])
    func nickServAfterSASL(outcome: String) async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(
            port: server.port, sasl: .by(.plain, isRequired: outcome == "nothing"),
            nickServ: .identify(isRequired: false),
            isInsecureAllowed: true)
        let wire = try await server.connection()
        if outcome == "nothing" {
            wire.send(":irc.test CAP * LS :batch")
        } else {
            _ = try await mechanism(wire, offered: "PLAIN")
            wire.send("AUTHENTICATE +")
            _ = try await payload(wire)
            wire.send(outcome == "login" ? ":irc.test 903 confab :done" : ":irc.test 904 confab :wrong")
            _ = try await wire.expect("CAP END") { $0.raw == "CAP END" }
        }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        if outcome == "nothing" {
            _ = try await wire.expect("the line to services") { $0.raw.contains("IDENTIFY") }
            wire.send(":NickServ!n@s NOTICE confab :Password accepted")
        }
        try await wire.admit("confab", to: "#lobby")
        await bot.quit()
        #expect(wire.lines.contains { $0.raw.contains("IDENTIFY") } == (outcome == "nothing"))
    }

    @Test("a check says in words which mechanism worked")
    func checked() async throws {
        let server = try ScriptedIRCServer()
        let endpoint = PipeEndpoint(host: "127.0.0.1", port: server.port, tls: nil, connectTimeout: .seconds(10))
        let settings = NetworkSettings(name: LinkUnderTest.network, endpoint: endpoint, sasl: .by(.scramSHA256))
        async let findings = LinkCheck.check(settings, identity: .ofTests(), log: MemoryLog().log)
        let wire = try await server.connection()
        _ = try await mechanism(wire, offered: "SCRAM-SHA-256")
        wire.send("AUTHENTICATE +")
        var services = SCRAMServer(.sha256, password: "sesame")
        wire.send("AUTHENTICATE \(services.offer(to: try await payload(wire)))")
        services.take(try await payload(wire))
        wire.send("AUTHENTICATE \(services.signature)")
        wire.send(":irc.test 903 confab :done")
        _ = try await wire.expect("CAP END") { $0.raw == "CAP END" }
        wire.send(":irc.test 001 confab :hi")
        wire.send(":irc.test 376 confab :end")
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        #expect(try await findings.last == "logged in to services as bot by SCRAM-SHA-256")
    }
}
