import FoundationEssentials

/// TLS in front of a scripted server in clear text: a small program that takes it off. Who does not finish the handshake is
/// never seen behind it.
public final class TLSFront: Sendable {
    public let port: Int
    private let program: Program

    /// The server's certificate is read anew for each connection, so that a test can replace it in between.
    public init(in scratch: Scratch, to port: Int, _ certificates: Certificates) async throws {
        self.port = try freePort()
        let script = scratch.file("tls-\(self.port).py")
        try Self.script.write(toFile: script, atomically: false, encoding: .utf8)
        program = try Program(
            Places.server("aiosmtpd", "bin/python"),
            [script, "\(self.port)", "\(port)", certificates.server, certificates.serverKey],
            logFile: scratch.file("tls-\(self.port).log"))
        try await Places.waitForListener(on: self.port, of: program)
    }

    private static let script = """
        import asyncio, ssl, sys

        port, behind, certificate, key = sys.argv[1:]

        def begin(connection, name, context):
            own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            own.load_cert_chain(certificate, key)
            connection.context = own

        async def pump(reader, writer):
            try:
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
            except OSError:
                pass
            writer.close()

        async def serve(reader, writer):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", int(behind))
            await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

        async def run():
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.sni_callback = begin
            server = await asyncio.start_server(serve, "127.0.0.1", int(port), ssl=tls)
            await server.serve_forever()

        asyncio.run(run())

        """
}
