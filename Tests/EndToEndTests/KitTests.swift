import Domain
import TestKit
import Testing

@Suite struct KitTests {
    @Test func `two people meet on a real ngircd`() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        let bob = try await IRCClient(nick: "bob", port: server.port)
        try await alice.join("#room")
        try await bob.join("#room")
        alice.say("hello", to: "#room")
        try await bob.expectMessage(from: "alice", to: "#room", containing: "hello")
    }

    @Test func `services on a real InspIRCd register an account`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        let fingerprint = try await certificates.fingerprint(of: certificates.client)
        try await server.register(account: "confab", password: "services-password", fingerprint: fingerprint)
    }
}
