import Domain
import FoundationEssentials
import Network
import TestKit
import Testing

@testable import IRC

@Suite("Policies for TLS")
@NetworkThread
struct STSPoliciesTests {
    private let scratch: Scratch
    private let log = MemoryLog()
    private let now = Timestamp(milliseconds: 1_790_000_000_000)

    nonisolated init() throws { scratch = try Scratch() }

    private func policies() -> STSPolicies { STSPolicies(directory: scratch.path, log: log.log) }

    private func later(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + seconds * 1000) }

    @Test("hold for their time, for the host in any spelling, and over restarts")
    func kept() async {
        let first = policies()
        first.keep(.seconds(60), port: 6697, for: "IRC.example.org", at: now)
        await first.save()
        let second = policies()
        #expect(second.port(for: "irc.EXAMPLE.org.", at: later(59)) == 6697)
        #expect(second.port(for: "irc.example.org", at: later(60)) == nil)
        #expect(second.port(for: "example.org", at: now) == nil)
        second.renew("irc.example.org", at: later(50))
        second.renew("other.example.org", at: later(50))
        await second.save()
        #expect(policies().port(for: "irc.example.org", at: later(109)) == 6697)
    }

    @Test("are taken back by a duration of zero")
    func removed() async {
        let first = policies()
        first.keep(.seconds(60), port: 6697, for: "a.example", at: now)
        first.keep(.seconds(60), port: 6698, for: "b.example", at: now)
        await first.save()
        first.keep(.zero, port: 6697, for: "a.example", at: now)
        await first.save()
        let second = policies()
        #expect(second.port(for: "a.example", at: now) == nil)
        #expect(second.port(for: "b.example", at: now) == 6698)
    }

    @Test("are for the bot's user alone, and one damaged line costs no other")
    func file() async throws {
        let first = policies()
        first.keep(.seconds(60), port: 6697, for: "a.example", at: now)
        await first.save()
        let path = scratch.file("confab.sts")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try ("b.example 99999 1 1\n\u{1} nonsense\n" + text).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(policies().port(for: "a.example", at: now) == 6697)
        #expect(log.lines.count { $0.contains("a policy for TLS is damaged") } == 2)
    }

    @Test("that cannot be stored hold in memory, and the log tells")
    func unwritable() async {
        let policies = STSPolicies(directory: scratch.file("missing"), log: log.log)
        policies.keep(.seconds(60), port: 6697, for: "a.example", at: now)
        await policies.save()
        #expect(policies.port(for: "a.example", at: now) == 6697)
        #expect(log.lines.contains { $0.contains("cannot be stored") })
    }
}
