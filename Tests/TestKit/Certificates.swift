import FoundationEssentials

/// A private authority and what it signed, made with openssl for one test.
public struct Certificates: Sendable {
    private let directory: String

    /// The authority's certificate: what `ca_file` takes.
    public var authority: String { directory + "/ca.pem" }
    /// An authority that signed nothing here.
    public var otherAuthority: String { directory + "/other.pem" }
    /// For `localhost`, and for no address.
    public var server: String { directory + "/server.pem" }
    public var serverKey: String { directory + "/server.key" }
    /// A client's own, self-signed.
    public var client: String { directory + "/client.pem" }
    public var clientKey: String { directory + "/client.key" }

    /// Makes them all in this directory; takes a fraction of a second.
    public init(in directory: String) async throws {
        self.directory = directory
        try await selfSigned("ca", subject: "Test Authority")
        try await selfSigned("other", subject: "Other Authority")
        try await selfSigned("client", subject: "confab")
        try await Self.openssl(
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost"]
                + ["-keyout", serverKey, "-out", directory + "/server.csr"], in: directory)
        let names = "subjectAltName=DNS:localhost\n"
        try names.write(toFile: directory + "/names", atomically: false, encoding: .utf8)
        try await signServer(forDays: 2)
    }

    /// The SHA-256 fingerprint of a certificate file, 64 hex digits in lower case.
    public func fingerprint(of certificate: String) async throws -> String {
        let output = try await Self.openssl(
            ["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"], in: directory)
        return output.split(separator: "=").last.map { $0.filter(\.isHexDigit).lowercased() } ?? ""
    }

    /// The public half of a P-256 key, as services take it: the compressed point in base 64.
    public func publicKey(of key: String) async throws -> String {
        let output = directory + "/public-\(UUID().uuidString)"
        try await Self.openssl(
            ["ec", "-in", key, "-pubout", "-conv_form", "compressed", "-outform", "DER", "-out", output],
            in: directory)
        return try Data(contentsOf: URL(filePath: output)).suffix(33).base64EncodedString()
    }

    /// Puts another certificate for the same key in the server's place, that was good until yesterday.
    public func expireServer() async throws { try await signServer(forDays: -1) }

    private func signServer(forDays days: Int) async throws {
        try await Self.openssl(
            ["x509", "-req", "-days", "\(days)", "-in", directory + "/server.csr", "-CA", authority]
                + ["-CAkey", directory + "/ca.key", "-CAcreateserial", "-extfile", directory + "/names"]
                + ["-out", server], in: directory)
    }

    private func selfSigned(_ name: String, subject: String) async throws {
        let files = ["-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem"]
        try await Self.openssl(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=\(subject)"] + files, in: directory)
    }

    /// Runs it to a good end and returns what it said.
    @discardableResult
    public static func openssl(_ arguments: [String], in directory: String) async throws -> String {
        let program = try Program(
            Places.tool("openssl"), arguments, logFile: directory + "/openssl-\(UUID().uuidString)")
        guard await program.waitForEnd() == 0 else {
            throw SocketFailure(message: "openssl \(arguments.first ?? ""): \(program.output)")
        }
        return program.output
    }
}
