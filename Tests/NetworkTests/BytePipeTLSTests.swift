import FoundationEssentials
import Network
import TestKit
import Testing

/// TLS against real servers: who is let in, who is not, and whether the bytes arrive.
@Suite(.timeLimit(.minutes(2)))
@NetworkThread
struct BytePipeTLSTests {
    private static let otherPin = CertificatePin(String(repeating: "00:", count: 31) + "00")

    @Test func `the right authority and the right name`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(caFile: world.certificates.authority)))
        recorder.write(Array("olleh\n".utf8))
        #expect(await eventually { await recorder.text == "hello\n" })
        recorder.pipe?.close()
    }

    @Test func `another authority, the system's authorities, and another name`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        for tls in [TLSOptions(caFile: world.certificates.otherAuthority), TLSOptions()] {
            #expect(await failure(.loopback(server.port, tls: tls)) == .certificate)
        }
        let elsewhere = try await TLSServer(
            in: world.scratch, address: "127.0.0.2", certificate: world.certificates.server,
            key: world.certificates.serverKey)
        let named = PipeEndpoint(
            host: "127.0.0.2", port: elsewhere.port, tls: TLSOptions(caFile: world.certificates.authority),
            connectTimeout: .seconds(20))
        #expect(await failure(named) == .certificate)
    }

    @Test func `a pin alone lets a self-signed certificate in, expired too`() async throws {
        let world = try await TLSWorld()
        let (server, certificate) = try await world.expiredServer()
        let pin = try await world.pin(of: certificate)
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(pins: [pin])))
        recorder.write(Array("olleh\n".utf8))
        #expect(await eventually { await recorder.text == "hello\n" })
        recorder.pipe?.close()
        #expect(await failure(.loopback(server.port, tls: TLSOptions())) == .certificate)
    }

    @Test func `a pinned key alone lets in whatever certificate holds it, and no other`() async throws {
        let world = try await TLSWorld()
        let (expired, certificate) = try await world.expiredServer()
        let key = try await world.keyPin(of: certificate)
        let other = try #require(CertificatePin("spki:MBn2FVJ6gX1VQ8LWzMhVHrAuOlr2gEVELkxXi+Vvq3I="))
        for pins in [[key], [other, key], [try await world.pin(of: world.certificates.server), key]] {
            #expect(await failure(.loopback(expired.port, tls: TLSOptions(pins: pins))) == nil)
        }
        // The same key in a certificate made anew.
        #expect(try await world.keyPin(of: world.certificates.client) == key)
        #expect(try await world.pin(of: world.certificates.client) != world.pin(of: certificate))

        let server = try await world.server()
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(pins: [key, other])))
        recorder.write(Array("NICK secret\n".utf8))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.failure?.kind == .pinMismatch)
        let seen = try await world.keyPin(of: world.certificates.server)
        #expect(recorder.failure?.detail.contains("\(seen)") == true)
        #expect(!server.output.contains("secret"))
    }

    @Test func `a pinned key and an authority must both hold`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        let key = try await world.keyPin(of: world.certificates.server)
        let both = TLSOptions(caFile: world.certificates.authority, pins: [key])
        #expect(await failure(.loopback(server.port, tls: both)) == nil)
        let wrong = TLSOptions(caFile: world.certificates.otherAuthority, pins: [key])
        #expect(await failure(.loopback(server.port, tls: wrong)) == .certificate)
    }

    @Test func `a wrong pin is refused before anything is sent`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(pins: [try #require(Self.otherPin)])))
        recorder.write(Array("NICK secret\n".utf8))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.failure?.kind == .pinMismatch)
        let seen = try await world.pin(of: world.certificates.server)
        #expect(recorder.failure?.detail.contains("\(seen)") == true)
        #expect(!recorder.isOpened)
        #expect(!server.output.contains("secret"))
    }

    @Test func `with a pin and an authority both must hold`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        let pin = try await world.pin(of: world.certificates.server)
        let other = try #require(Self.otherPin)
        let both = TLSOptions(caFile: world.certificates.authority, pins: [other, pin])
        #expect(await failure(.loopback(server.port, tls: both)) == nil)
        let wrongPin = TLSOptions(caFile: world.certificates.authority, pins: [other])
        #expect(await failure(.loopback(server.port, tls: wrongPin)) == .pinMismatch)
        let wrongAuthority = TLSOptions(caFile: world.certificates.otherAuthority, pins: [pin])
        #expect(await failure(.loopback(server.port, tls: wrongAuthority)) == .certificate)
    }

    @Test func `a client certificate is shown where it is asked for`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server(
            ["-rev", "-Verify", "1", "-verify_return_error", "-CAfile", world.certificates.client])
        var tls = TLSOptions(
            caFile: world.certificates.authority, clientCertificate: world.certificates.client,
            clientKey: world.certificates.clientKey)
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: tls))
        recorder.write(Array("olleh\n".utf8))
        #expect(await eventually { await recorder.text == "hello\n" })
        recorder.pipe?.close()
        tls.clientCertificate = world.scratch.file("missing.pem")
        #expect(await failure(.loopback(server.port, tls: tls)) == .certificate)
    }

    @Test func `a server that is strict about ALPN is content`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server(["-rev", "-alpn", "irc"])
        let tls = TLSOptions(caFile: world.certificates.authority)
        #expect(await failure(.loopback(server.port, tls: tls)) == nil)
    }

    @Test func `TLS to a port that accepts and says nothing, or speaks something else`() async throws {
        let silent = try RawServer { $0.waitForEnd() }
        #expect(
            await failure(.loopback(silent.port, tls: TLSOptions(), timeout: .milliseconds(100))) == .timedOut)
        let plain = try RawServer { connection in
            _ = connection.read()
            connection.write("NOTICE AUTH :*** this is no TLS\r\n")
        }
        #expect(await failure(.loopback(plain.port, tls: TLSOptions())) == .tls)
    }

    @Test func `full records arrive to the last byte`() async throws {
        let world = try await TLSWorld()
        let content = String((0..<400_000).map { "\($0)\n" }.joined().prefix(2_000_000))
        try content.write(toFile: world.scratch.file("content"), atomically: false, encoding: .utf8)
        // It serves files of its directory, in records as large as TLS allows.
        let server = try await world.server(["-WWW"])
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(caFile: world.certificates.authority)))
        recorder.write(Array("GET /content HTTP/1.0\r\n\r\n".utf8))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.text.hasSuffix(content.suffix(2000)))
        #expect(recorder.received.count > content.utf8.count)
    }

    @Test func `many small writes go out and come back over TLS`() async throws {
        let world = try await TLSWorld()
        let server = try await world.server()
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port, tls: TLSOptions(caFile: world.certificates.authority)))
        let numbers = Array(100_000..<115_000)
        for number in numbers { recorder.write(Array("\(number)\n".utf8)) }
        let expected = numbers.map { String(String($0).reversed()) + "\n" }.joined()
        #expect(await eventually { await recorder.text == expected })
        recorder.pipe?.close()
    }

    /// Nil when it opened.
    private func failure(_ endpoint: PipeEndpoint) async -> PipeFailure.Kind? {
        let recorder = PipeRecorder()
        recorder.open(endpoint)
        _ = await eventually { await recorder.isSettled }
        recorder.pipe?.close()
        return recorder.failure?.kind
    }
}
