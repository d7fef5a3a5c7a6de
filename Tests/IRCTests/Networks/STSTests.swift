import Domain
import FoundationEssentials
import IRC
import IRCTestKit
import Network
import Runtime
import TestKit
import Testing

/// A network whose configuration says clear text and whose server speaks TLS too.
@Suite("TLS because the server asks for it", .timeLimit(.minutes(2)))
struct STSTests {
    private let clock = ManualTime()
    private let scratch: Scratch
    private let certificates: Certificates
    private let plain: ScriptedIRCServer
    private let secure: ScriptedIRCServer
    private let front: TLSFront

    init() async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
        plain = try ScriptedIRCServer()
        secure = try ScriptedIRCServer()
        front = try await TLSFront(in: scratch, to: secure.port, certificates)
    }

    private func policies() -> STSPolicies { STSPolicies(directory: scratch.path, log: MemoryLog().log) }

    private func bot(
        _ policies: STSPolicies = STSPolicies(), authority: String? = nil, isInsecureAllowed: Bool = true
    ) -> LinkUnderTest {
        LinkUnderTest(
            port: plain.port, isInsecureAllowed: isInsecureAllowed, serverPassword: Secret("canary"),
            tlsWhenAsked: TLSOptions(caFile: authority ?? certificates.authority), policies: policies, clock: clock)
    }

    private func ask(_ wire: LineConnection, for port: Int) async throws {
        _ = try await wire.expect("CAP LS") { $0.command == "CAP" }
        wire.send(":irc.test CAP * LS * :multi-prefix")
        wire.send(":irc.test CAP * LS :sts=port=\(port),duration=1 server-time")
    }

    private func isOnline(_ kind: ChatEvent.Kind) -> Bool { if case .online = kind { true } else { false } }

    @Test("is spoken before the bot has told anything about itself")
    func upgrade() async throws {
        let bot = bot()
        let wire = try await plain.connection()
        try await ask(wire, for: front.port)
        let other = try await secure.connection()
        try await other.welcome(capabilities: "server-time")
        #expect(await bot.sees(isOnline))
        #expect(wire.lines.map(\.raw) == ["CAP LS 302"])
        #expect(other.lines.contains { $0.raw == "PASS canary" })
        #expect(plain.connectionCount == 1 && wire.isClosed)
        #expect(bot.log.lines.contains { $0.contains("goes over to TLS") })
        // What was said in clear text holds for once: only over TLS can a server bind anybody.
        other.close()
        #expect(await clock.turn { plain.connectionCount == 2 })
        try await plain.connection(1).close()
        await bot.quit()
    }

    @Test("is kept to after a loss and after a restart, for the time that runs from the last connection")
    func policy() async throws {
        // Waiting turns the clock too, by hours at the most.
        let first = bot(policies())
        try await ask(try await plain.connection(), for: front.port)
        let wire = try await secure.connection()
        try await wire.welcome(capabilities: "sts=duration=100000,port=1")
        #expect(await first.sees(isOnline))
        clock.advance(by: .seconds(90_000))
        wire.close()
        #expect(await clock.turn { secure.connectionCount == 2 })
        try await secure.connection(1).welcome(capabilities: "sts=duration=100000,port=1")
        await first.quit()

        clock.advance(by: .seconds(90_000))
        let second = bot(policies())
        try await secure.connection(2).welcome(capabilities: "sts=duration=100000")
        await second.quit()
        #expect(plain.connectionCount == 1)

        clock.advance(by: .seconds(100_001))
        let third = bot(policies())
        try await plain.connection(1).close()
        #expect(secure.connectionCount == 3)
        await third.quit()
    }

    @Test("is kept to by a bot that was killed after being online for longer than that")
    func killed() async throws {
        let first = bot(policies())
        try await ask(try await plain.connection(), for: front.port)
        try await secure.connection().welcome(capabilities: "sts=duration=120")
        #expect(await first.sees(isOnline))
        let path = scratch.file("confab.sts")
        let stored = { @Sendable in (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        for _ in 1...2 {
            let before = stored()
            #expect(await clock.turn { stored() != before })
        }
        clock.advance(by: .seconds(5))
        // What the killed one left, while it cannot put it right.
        let second = bot(policies())
        try await secure.connection(1).welcome()
        #expect(plain.connectionCount == 1 && secure.connectionCount == 2)
        await second.quit()
        await first.quit()
    }

    @Test("is not kept to for longer because the server cannot be met over TLS any more")
    func unmet() async throws {
        let bot = bot(policies())
        try await ask(try await plain.connection(), for: front.port)
        let wire = try await secure.connection()
        try await wire.welcome(capabilities: "sts=duration=1000")
        #expect(await bot.sees(isOnline))
        secure.close()
        wire.close()
        #expect(await clock.turn(by: .seconds(20)) { plain.connectionCount == 2 })
        let attempts = bot.log.lines.count { $0.contains("connecting") && $0.contains("port=\(front.port)") }
        #expect(attempts > 2)
        try await plain.connection(1).close()
        await bot.quit()
    }

    @Test("is kept to when our clock is set ahead by more than that")
    func steps() async throws {
        let bot = bot(policies())
        try await ask(try await plain.connection(), for: front.port)
        let wire = try await secure.connection()
        try await wire.welcome(capabilities: "sts=duration=100000")
        #expect(await bot.sees(isOnline))
        wire.close()
        #expect(await eventually { bot.kinds.contains { if case .offline = $0 { true } else { false } } })
        clock.stepWall(by: .seconds(400 * 86_400))
        #expect(await clock.turn { secure.connectionCount == 2 })
        #expect(plain.connectionCount == 1)
        await bot.quit()
    }

    @Test("is given up when the server takes it back")
    func takenBack() async throws {
        let bot = bot(policies())
        try await ask(try await plain.connection(), for: front.port)
        let wire = try await secure.connection()
        try await wire.welcome(capabilities: "sts=duration=1000")
        wire.send(":irc.test CAP confab NEW :sts=duration=0")
        try await wire.ping()
        wire.close()
        #expect(await clock.turn { plain.connectionCount == 2 })
        try await plain.connection(1).close()
        await bot.quit()
        let again = self.bot(policies())
        try await plain.connection(2).close()
        await again.quit()
    }

    @Test("with a certificate that does not hold is the end, and clear text no way out")
    func certificate() async throws {
        let bot = bot(authority: certificates.otherAuthority)
        let wire = try await plain.connection()
        try await ask(wire, for: front.port)
        await bot.ended()
        #expect(bot.link.failures[LinkUnderTest.network]?.contains("certificate") == true)
        #expect(secure.connectionCount == 0 && plain.connectionCount == 1)
        #expect(wire.lines.map(\.raw) == ["CAP LS 302"])
    }

    @Test(
        "on a port where nobody answers is waited for, and clear text no way out, on this machine too",
        arguments: [true, false])
    func unreachable(isInsecureAllowed: Bool) async throws {
        let bot = bot(isInsecureAllowed: isInsecureAllowed)
        let nobody = try freePort()
        let wire = try await plain.connection()
        try await ask(wire, for: nobody)
        let attempts = { @Sendable in
            bot.log.lines.count { $0.contains("connecting") && $0.contains("port=\(nobody)") }
        }
        #expect(await clock.turn { attempts() == 3 })
        #expect(plain.connectionCount == 1)
        #expect(wire.lines.map(\.raw) == ["CAP LS 302"])
        await bot.quit()
    }

    @Test("is asked for in the middle of a connection too, also on this machine")
    func later() async throws {
        let bot = bot(isInsecureAllowed: false)
        let wire = try await plain.connection()
        try await wire.welcome()
        #expect(await bot.sees(isOnline))
        wire.send(":irc.test CAP confab NEW :sts=port=\(front.port)")
        try await secure.connection().welcome()
        #expect(await eventually { bot.kinds.count(where: isOnline) == 2 })
        #expect(wire.isClosed)
        await bot.quit()
    }

    @Test("is not meant by a duration alone, and a server without capabilities is told who comes after a while")
    func none() async throws {
        let bot = bot(policies())
        let wire = try await plain.connection()
        _ = try await wire.expect("CAP LS") { $0.command == "CAP" }
        wire.send(":irc.test CAP * LS :sts=duration=1000")
        _ = try await wire.expect("PASS") { $0.raw == "PASS canary" }
        wire.close()
        #expect(await clock.turn { plain.connectionCount == 2 })
        let mute = try await plain.connection(1)
        _ = try await mute.expect("CAP LS") { $0.command == "CAP" }
        mute.send("NOTICE AUTH :*** Looking up your hostname")
        mute.send("PING :cookie")
        _ = try await mute.expect("PONG") { $0.text == "cookie" }
        #expect(mute.lines.count == 2)
        clock.advance(by: .seconds(5))
        _ = try await mute.expect("USER") { $0.command == "USER" }
        await bot.quit(closing: mute)
    }

    @Test("is found out and told by the check of a network")
    func check() async throws {
        let endpoint = PipeEndpoint(host: "localhost", port: plain.port, tls: nil, connectTimeout: .seconds(10))
        let settings = NetworkSettings(
            name: NetworkName("n"), endpoint: endpoint, tlsWhenAsked: TLSOptions(caFile: certificates.authority))
        async let findings = LinkCheck.check(settings, identity: .ofTests(), log: MemoryLog().log)
        try await ask(try await plain.connection(), for: front.port)
        let wire = try await secure.connection()
        try await wire.welcome()
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        let told = try await findings
        let note = "asks for TLS on port \(front.port) instead of clear text on port \(plain.port) (STS)"
        #expect(told.prefix(2) == [note, "connected to localhost port \(front.port) over TLS, certificate accepted"])
    }
}
