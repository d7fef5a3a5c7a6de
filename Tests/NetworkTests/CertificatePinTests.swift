import Network
import Testing

struct CertificatePinTests {
    @Test func `as openssl prints it, or plain, in either case`() {
        let plain = String(repeating: "0aF9", count: 16)
        var withColons = plain
        for place in stride(from: 62, to: 0, by: -2) {
            withColons.insert(":", at: withColons.index(withColons.startIndex, offsetBy: place))
        }
        let fingerprint = CertificatePin(plain)
        #expect(CertificatePin(withColons) == fingerprint)
        #expect(fingerprint?.description == plain.lowercased())
    }

    @Test func `the key's digest in base64, as curl writes it`() {
        let text = "spki:MBn2FVJ6gX1VQ8LWzMhVHrAuOlr2gEVELkxXi+Vvq3I="
        #expect(CertificatePin(text)?.description == text)
    }

    @Test(arguments: [
        "", "0a", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
        String(repeating: "0", count: 65), "spki:", "spki:AAAA", "spki:" + String(repeating: "A", count: 43),
        "SPKI:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "spki:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=!",
        String(repeating: "٣", count: 64),
    ])
    func `anything else is none`(text: String) { #expect(CertificatePin(text) == nil) }
}
