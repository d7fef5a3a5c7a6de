import Domain
import Glibc
import IRC
import Network
import Runtime
import TestKit
import Testing

/// What months bring: certificates that expire, ircds that hang.
@Suite("Staying on a network", .timeLimit(.minutes(3)))
struct StayingTests {
    private let clock = ManualTime()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Turns the clock, twenty times as fast as the machine's, until this is so.
    private func turn(until isSo: @Sendable () async -> Bool) async -> Bool {
        await clock.turn(by: .milliseconds(100), within: .seconds(60), until: isSo)
    }

    private func entries(_ bot: LinkUnderTest) -> Int {
        bot.kinds.count { if case .entered = $0 { true } else { false } }
    }

    /// Lets the bot in, replaces the server's certificate by one that has expired, and returns why the bot gives up.
    private func reasonAfterExpiry(
        of bot: LinkUnderTest, on server: ScriptedIRCServer, _ certificates: Certificates
    ) async throws -> String? {
        let wire = try await server.connection()
        try await wire.welcome()
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        try await certificates.expireServer()
        wire.close()
        #expect(await turn { !bot.link.failures.isEmpty })
        return bot.link.failures[LinkUnderTest.network]
    }

    @Test("a certificate that expires between two connections is the end, and the reason is told")
    func expires() async throws {
        let certificates = try await Certificates(in: scratch.path)
        let server = try ScriptedIRCServer()
        let front = try await TLSFront(in: scratch, to: server.port, certificates)
        let bot = LinkUnderTest(port: front.port, tls: TLSOptions(caFile: certificates.authority), clock: clock)
        let reason = try await reasonAfterExpiry(of: bot, on: server, certificates)
        #expect(reason?.contains("certificate has expired") == true)
        #expect(server.connectionCount == 1)
    }

    @Test("a pinned certificate that is renewed is refused without a line, and its key pinned lets the bot in")
    func pinned() async throws {
        let certificates = try await Certificates(in: scratch.path)
        let server = try ScriptedIRCServer()
        let front = try await TLSFront(in: scratch, to: server.port, certificates)
        let pin = try #require(CertificatePin(try await certificates.fingerprint(of: certificates.server)))
        let bot = LinkUnderTest(port: front.port, tls: TLSOptions(pins: [pin]), clock: clock)
        let reason = try #require(try await reasonAfterExpiry(of: bot, on: server, certificates))
        #expect(try await server.connection(1).lines.isEmpty)
        // The reason names the key, for the operator to pin.
        let words = reason.split(separator: " ")
        let key = try #require(words.compactMap { $0.hasPrefix("spki:") ? CertificatePin(String($0)) : nil }.first)
        let again = LinkUnderTest(port: front.port, tls: TLSOptions(pins: [pin, key]))
        try await server.connection(2).welcome()
        #expect(await again.sees { if case .online = $0 { true } else { false } })
        await again.quit()
    }

    @Test("an ircd that hangs for five minutes is noticed in time, and found again when it goes on")
    func stopped() async throws {
        let server = try await NGIRCd(in: scratch)
        let bot = LinkUnderTest(port: server.port, clock: clock)
        #expect(await turn { entries(bot) == 1 })
        server.program.signal(SIGSTOP)
        defer { server.program.signal(SIGCONT) }
        clock.advance(by: .seconds(75))
        #expect(await eventually { await bot.link.status().first?.lag != nil }, "it was not asked")
        let asked = clock.time.now()
        #expect(await turn { bot.kinds.contains(.offline(reason: "the server has fallen silent")) })
        #expect(clock.time.now() - asked < .seconds(75))
        // Its port still accepts: the system does that. Each attempt ends by its deadline.
        let hangs = "did not finish the registration in time"
        #expect(await turn { bot.log.lines.contains { $0.contains(hangs) } })
        clock.advance(by: .seconds(165))
        server.program.signal(SIGCONT)
        #expect(await turn { entries(bot) == 2 }, "\(bot.log.lines.suffix(5))")
        await bot.quit()
    }

    @Test("InspIRCd's own wish for TLS is followed, and kept")
    func asked() async throws {
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(
            in: scratch, certificates: certificates, withServices: false, asksForTLS: true)
        let policies = { STSPolicies(directory: scratch.path, log: MemoryLog().log) }
        let tls = TLSOptions(caFile: certificates.authority)
        let first = LinkUnderTest(
            port: server.port, isInsecureAllowed: true, tlsWhenAsked: tls, policies: policies())
        #expect(await first.sees { if case .entered = $0 { true } else { false } }, "\(first.log.lines)")
        #expect(first.log.lines.count { $0.contains("goes over to TLS") } == 1)
        await first.quit()
        let last = LinkUnderTest(
            port: server.port, tlsWhenAsked: tls, policies: policies())
        #expect(await last.sees { if case .entered = $0 { true } else { false } })
        #expect(!last.log.lines.contains { $0.contains("port=\(server.port)") })
        await last.quit()
    }
}
