import Network
import Runtime
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2)))
@NetworkThread
struct ProxyTests {
    /// A name that no resolver knows, so that whoever reaches it did not ask one.
    private static let unknown = "irc.no-such-host.invalid"

    private nonisolated static func echo() throws -> RawServer {
        try RawServer { connection in
            while let bytes = connection.read() { connection.write(bytes) }
        }
    }

    private func endpoint(
        _ proxy: String, host: String = unknown, isolation: String? = nil, timeout: Duration = .seconds(20)
    ) -> PipeEndpoint {
        PipeEndpoint(
            host: host, port: 6697, tls: nil, proxy: proxy, proxyIsolation: isolation, connectTimeout: timeout)
    }

    private func speaks(_ endpoint: PipeEndpoint) async -> Bool {
        let recorder = PipeRecorder()
        recorder.open(endpoint)
        recorder.write(Array("hello\n".utf8))
        let isHeard = await eventually { await recorder.text == "hello\n" }
        recorder.pipe?.close()
        return isHeard
    }

    private func failure(_ endpoint: PipeEndpoint) async -> PipeFailure? {
        let recorder = PipeRecorder()
        recorder.open(endpoint)
        recorder.write(Array("NICK secret\n".utf8))
        _ = await eventually { await recorder.isSettled }
        recorder.pipe?.close()
        return recorder.failure
    }

    @Test(arguments: ["socks5h", "SOCKS5H"])
    func `a name is left to SOCKS5 to look up, and each network has a stream of its own`(scheme: String) async throws {
        let server = try Self.echo()
        let proxy = try ScriptedProxy(.socks, to: server.port)
        for network in ["libera", "oftc", "libera"] {
            #expect(await speaks(endpoint("\(scheme)://127.0.0.1:\(proxy.port)", isolation: network)))
        }
        #expect(proxy.requests.allSatisfy { $0.host == Self.unknown && $0.port == 6697 })
        let credentials = proxy.requests.map(\.credentials)
        #expect(credentials[0] == credentials[2] && credentials[0] != credentials[1])
        #expect(credentials[0]?.hasPrefix("libera:") == true)
    }

    @Test func `credentials that are configured are the ones that are sent`() async throws {
        let server = try Self.echo()
        let socks = try ScriptedProxy(.socks, to: server.port)
        #expect(await speaks(endpoint("socks5h://me:sesame@127.0.0.1:\(socks.port)", isolation: "libera")))
        #expect(socks.requests.map(\.credentials) == ["me:sesame"])
        let http = try ScriptedProxy(.http, to: server.port)
        #expect(await speaks(endpoint("http://me:sesame@127.0.0.1:\(http.port)", isolation: "libera")))
        #expect(http.requests == [.init(host: Self.unknown, port: 6697, credentials: "me:sesame")])
    }

    @Test func `HTTP CONNECT leads through, and nobody is told a name it did not ask for`() async throws {
        let server = try Self.echo()
        let proxy = try ScriptedProxy(.http, to: server.port)
        #expect(await speaks(endpoint("http://127.0.0.1:\(proxy.port)", isolation: "libera")))
        #expect(proxy.requests == [.init(host: Self.unknown, port: 6697, credentials: nil)])
    }

    @Test func `TLS goes through a proxy and is checked behind it`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        for form in [ScriptedProxy.Form.socks, .http] {
            let proxy = try ScriptedProxy(form, to: server.port)
            let scheme = form == .socks ? "socks5h" : "http"
            var endpoint = PipeEndpoint.loopback(6697, tls: TLSOptions(caFile: world.certificates.authority))
            endpoint.proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
            let recorder = PipeRecorder()
            recorder.open(endpoint)
            recorder.write(Array("olleh\n".utf8))
            #expect(await eventually { await recorder.text == "hello\n" })
            recorder.pipe?.close()
            endpoint.tls = TLSOptions(caFile: world.certificates.otherAuthority)
            #expect(await failure(endpoint)?.kind == .certificate)
        }
    }

    @Test(arguments: [
        ("socks5h", ScriptedProxy.Behaviour.refuses), ("socks5h", .rejectsLogin), ("http", .refuses),
        ("http", .rejectsLogin),
    ])
    func `a proxy that refuses is told as the proxy's doing, and the server hears nothing`(
        scheme: String, behaviour: ScriptedProxy.Behaviour
    ) async throws {
        let server = try ScriptedIRCServer()
        let proxy = try ScriptedProxy(scheme == "http" ? .http : .socks, to: server.port, behaviour)
        let refused = await failure(endpoint("\(scheme)://me:sesame@127.0.0.1:\(proxy.port)"))
        #expect(refused?.kind == .proxy)
        #expect(refused?.detail.contains("sesame") == false)
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["socks5h", "http"])
    func `a proxy that says nothing is left when the time for connecting is over`(scheme: String) async throws {
        let proxy = try ScriptedProxy(scheme == "http" ? .http : .socks, to: 1, .silent)
        let silent = await failure(endpoint("\(scheme)://127.0.0.1:\(proxy.port)", timeout: .milliseconds(300)))
        #expect(silent?.kind == .timedOut)
    }

    @Test func `a proxy that is not there is refused, and never gone round`() async throws {
        let server = try ScriptedIRCServer()
        var direct = PipeEndpoint.loopback(server.port)
        direct.proxy = "socks5h://127.0.0.1:\(try freePort())"
        #expect(await failure(direct) != nil)
        #expect(server.connectionCount == 0)
    }
}
