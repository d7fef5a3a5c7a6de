import FoundationEssentials
import Network
import TestKit

/// `openssl s_server` on a port of loopback.
final class TLSServer: Sendable {
    let port: Int
    private let program: Program

    /// Answers each line with its letters reversed, unless other arguments are given.
    init(
        in scratch: Scratch, address: String = "127.0.0.1", certificate: String, key: String,
        _ arguments: [String] = ["-rev"]
    ) async throws {
        port = try freePort()
        let log = scratch.file("server-\(UUID().uuidString).log")
        // Files that it serves are those of the directory it runs in.
        program = try Program(
            "/bin/sh",
            ["-c", "cd \"$0\" && exec openssl s_server \"$@\"", scratch.path]
                + ["-accept", "\(address):\(port)", "-cert", certificate, "-key", key] + arguments, logFile: log)
        guard await eventually({ [program] in program.output.contains("ACCEPT") || program.hasEnded }),
            !program.hasEnded
        else { throw TLSServerFailure(description: program.output) }
    }

    /// What it printed, received text included.
    var output: String { program.output }
}

struct TLSServerFailure: Error, CustomStringConvertible {
    let description: String
}

/// Certificates that hold and others that do not, in a directory of the test's own.
struct TLSWorld {
    let scratch: Scratch
    let certificates: Certificates

    init() async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
    }

    func server(_ arguments: [String] = ["-rev"]) async throws -> TLSServer {
        try await TLSServer(
            in: scratch, certificate: certificates.server, key: certificates.serverKey, arguments)
    }

    /// A server whose certificate signed itself and is out of date.
    func expiredServer() async throws -> (server: TLSServer, certificate: String) {
        let certificate = scratch.file("expired.pem")
        try await Certificates.openssl(
            [
                "x509", "-in", certificates.client, "-signkey", certificates.clientKey, "-days", "-1", "-out",
                certificate,
            ],
            in: scratch.path)
        let server = try await TLSServer(in: scratch, certificate: certificate, key: certificates.clientKey)
        return (server, certificate)
    }

    func pin(of certificate: String) async throws -> CertificatePin {
        let text = try await certificates.fingerprint(of: certificate)
        guard let fingerprint = CertificatePin(text) else { throw TLSServerFailure(description: text) }
        return fingerprint
    }

    /// Of its public key, by openssl.
    func keyPin(of certificate: String) async throws -> CertificatePin {
        let steps = [
            "openssl x509 -in \"$0\" -noout -pubkey", "openssl pkey -pubin -outform der",
            "openssl dgst -sha256 -binary", "openssl base64 -A",
        ]
        let program = try Program(
            "/bin/sh", ["-c", steps.joined(separator: " | "), certificate],
            logFile: scratch.file("key-\(UUID().uuidString)"))
        _ = await program.waitForEnd()
        guard let pin = CertificatePin("spki:" + program.output) else {
            throw TLSServerFailure(description: program.output)
        }
        return pin
    }
}
