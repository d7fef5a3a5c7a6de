import TestKit
import Testing

@Suite struct STSTests {
    @Test func `a restarted bot goes straight to TLS where the server asked for it before`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let plain = try ScriptedIRCServer()
        let secure = try ScriptedIRCServer()
        let front = try await TLSFront(in: scratch, to: secure.port, certificates)
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(
            in: scratch, port: plain.port, network: "tls = false\nca_file = \"\(certificates.authority)\"", api: api)
        let clear = try await plain.connection()
        _ = try await clear.expect("CAP LS") { $0.command == "CAP" }
        clear.send(":irc.test CAP * LS :sts=port=\(front.port)")
        let first = try await secure.connection()
        try await first.welcome(capabilities: "sts=duration=86400")
        try await first.admit("confab", to: "#confab")
        bot.program.kill()

        let again = try ConfabProcess(again: scratch)
        let second = try await secure.connection(1)
        try await second.welcome(capabilities: "sts=duration=86400")
        _ = try await second.expect("JOIN") { $0.command == "JOIN" }
        #expect(plain.connectionCount == 1)
        second.close()
        #expect(await again.stop() == 0)
    }
}
