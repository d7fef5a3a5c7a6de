import FoundationEssentials
import IRCProtocol
import TestKit
import Testing

@testable import IRCProtocol

@Suite("Keys that sign")
struct SigningKeyTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func openssl(_ arguments: String...) async throws {
        try await Certificates.openssl(arguments, in: scratch.path)
    }

    private func pem(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: scratch.file(name))))
    }

    @Test(
        "what a P-256 key signs, openssl verifies by its public half",
        arguments: ["SEC 1", "SEC 1 behind its curve", "PKCS 8"])
    func signs(form: String) async throws {
        let key = scratch.file("key")
        switch form {
        case "SEC 1": try await openssl("ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", key)
        case "PKCS 8":
            try await openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", key)
        default: try await openssl("ecparam", "-genkey", "-name", "prime256v1", "-out", key)
        }
        let signingKey = try #require(SigningKey(pem: try pem("key")))
        let challenge = (0..<32).map { UInt8($0 * 7) }
        let signature = try #require(signingKey.signature(of: challenge))
        try Data(challenge).write(to: URL(filePath: scratch.file("challenge")))
        try Data(signature).write(to: URL(filePath: scratch.file("signature")))
        try await openssl("ec", "-in", key, "-pubout", "-out", scratch.file("public"))
        try await openssl(
            "pkeyutl", "-verify", "-pubin", "-inkey", scratch.file("public"), "-in", scratch.file("challenge"),
            "-sigfile", scratch.file("signature"))
        #expect("\(signingKey)".contains("SigningKey"))
    }

    @Test("other curves, other kinds, keys with a passphrase and what is no key are refused, and nobody is asked")
    func refused() async throws {
        try await openssl("ecparam", "-genkey", "-noout", "-name", "secp384r1", "-out", scratch.file("p384"))
        try await openssl("genpkey", "-algorithm", "ed25519", "-out", scratch.file("ed25519"))
        try await openssl("ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", scratch.file("plain"))
        try await openssl(
            "ec", "-in", scratch.file("plain"), "-aes128", "-passout", "pass:secret", "-out", scratch.file("locked"))
        try await openssl("ec", "-in", scratch.file("plain"), "-pubout", "-out", scratch.file("public"))
        for name in ["p384", "ed25519", "locked", "public"] {
            #expect(SigningKey(pem: try pem(name)) == nil, "\(name)")
        }
        #expect(SigningKey(pem: []) == nil)
        #expect(SigningKey(pem: Array("-----BEGIN EC PRIVATE KEY-----\n!\n".utf8)) == nil)
    }
}
