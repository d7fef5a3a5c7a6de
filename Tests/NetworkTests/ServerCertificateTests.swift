import FoundationEssentials
import TestKit
import Testing

@testable import Network

struct ServerCertificateTests {
    @Test func `is known by its own digest and its key's, as openssl tells them`() async throws {
        let world = try await TLSWorld()
        for path in [world.certificates.server, world.certificates.authority] {
            let pem = try String(contentsOfFile: path, encoding: .utf8)
            let expected = [try await world.pin(of: path), try await world.keyPin(of: path)]
            #expect(ServerCertificate(pem: "Subject: x\n" + pem)?.pins == expected)
        }
    }

    @Test func `cut short or changed anywhere, it has another key at the most`() async throws {
        let world = try await TLSWorld()
        let pem = try String(contentsOfFile: world.certificates.server, encoding: .utf8)
        let text = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let der = try #require(Base64.bytes(of: text))
        for length in der.indices {
            let pins = ServerCertificate(der: Array(der[..<length])).pins
            #expect(pins.count == 1, "a certificate cut at \(length) has no key")
        }
        for index in der.indices {
            for value in [0x00, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
                var changed = der
                changed[index] = value
                #expect((1...2).contains(ServerCertificate(der: changed).pins.count))
            }
        }
        #expect(ServerCertificate(pem: "-----BEGIN CERTIFICATE-----!-----END CERTIFICATE-----") == nil)
        #expect(ServerCertificate(pem: "-----END CERTIFICATE----------BEGIN CERTIFICATE-----") == nil)
    }
}
