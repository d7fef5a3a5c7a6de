import FoundationEssentials
import Runtime

/// A real mail server (aiosmtpd) on loopback, with TLS and a password, that keeps every mail in a file.
public final class SMTPServer: Sendable {
    public enum Security: String, Sendable {
        /// From the first byte.
        case tls
        /// By STARTTLS, and no mail before.
        case startTLS
        /// None at all.
        case clear
    }

    public static let username = "confab"
    public static let password = "mail-password"

    public let port: Int
    public let program: Program
    private let folder: String

    public init(in scratch: Scratch, certificates: Certificates, _ security: Security = .tls) async throws {
        port = try freePort()
        folder = scratch.file("mail-\(port)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let script = scratch.file("smtp-\(port).py")
        try Self.script.write(toFile: script, atomically: false, encoding: .utf8)
        program = try Program(
            Places.server("aiosmtpd", "bin/python"),
            [script, "\(port)", security.rawValue, folder, certificates.server, certificates.serverKey]
                + [Self.username, Self.password], logFile: scratch.file("smtp-\(port).log"))
        try await Places.waitForListener(on: port, of: program)
    }

    /// Every mail so far as it came in, oldest first.
    public var mails: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".eml") }.sorted().compactMap {
            try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
        }
    }

    private static let script = """
        import asyncio, os, ssl, sys
        from aiosmtpd.smtp import SMTP, AuthResult

        port, security, folder, certificate, key, username, password = sys.argv[1:]

        class Keep:
            count = 0

            async def handle_DATA(self, server, session, envelope):
                Keep.count += 1
                path = f"{folder}/{Keep.count:04}"
                with open(path + ".part", "wb") as file:
                    file.write(envelope.content)
                os.rename(path + ".part", path + ".eml")
                return "250 OK"

        def check(server, session, envelope, mechanism, data):
            right = data.login.decode() == username and data.password.decode() == password
            # Not handled: the server itself shall answer.
            return AuthResult(success=right, handled=False)

        async def serve():
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate, key)
            upgrade = tls if security == "startTLS" else None
            def connection():
                return SMTP(Keep(), authenticator=check, auth_required=True, auth_require_tls=upgrade is not None,
                            tls_context=upgrade, require_starttls=upgrade is not None)
            server = await asyncio.get_running_loop().create_server(
                connection, "127.0.0.1", int(port), ssl=tls if security == "tls" else None)
            await server.serve_forever()

        asyncio.run(serve())

        """
}
