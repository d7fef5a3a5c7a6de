import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    @Test(arguments: [
        (ScriptedProxy.Form.socks, "socks5h", "test:"), (ScriptedProxy.Form.http, "http", nil),
    ])
    func `a network behind a proxy is joined and answered there, under the name that only the proxy knows`(
        form: ScriptedProxy.Form, scheme: String, circuit: String?
    ) async throws {
        let server = try ScriptedIRCServer()
        let proxy = try ScriptedProxy(form, to: server.port)
        let api = try ScriptedAPI()
        let network = """
            host = "irc.no-such-host.invalid"
            tls = false
            insecure = true
            proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
            """
        let bot = try ConfabProcess(
            in: try Scratch(), port: 6667, network: network, pace: ConfabProcess.brisk, api: api)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#confab", with: ["alice"])
        wire.send(":alice!alice@alice.test PRIVMSG confab :REGISTER correct-horse alice@example.org")
        _ = try await wire.expect("logged in") { $0.command == "NOTICE" && $0.text.hasPrefix("Registered:") }
        wire.send(":alice!alice@alice.test PRIVMSG #confab :hello")
        _ = try await wire.expect("the answer") { $0.raw == "PRIVMSG #confab :alice: You said: hello" }
        #expect(proxy.requests.map(\.host) == ["irc.no-such-host.invalid"] && proxy.requests.map(\.port) == [6667])
        #expect(proxy.requests.first?.credentials?.prefix(5).description == circuit)
        bot.program.signal(SIGTERM)
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        #expect(await bot.program.waitForEnd() == 0)
        #expect(api.requests.count == 1 && server.connectionCount == 1)
    }
}
