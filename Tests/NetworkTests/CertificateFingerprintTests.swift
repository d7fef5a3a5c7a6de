import Network
import Testing

struct CertificateFingerprintTests {
    @Test func `as openssl prints it, or plain, in either case`() {
        let plain = String(repeating: "0aF9", count: 16)
        var withColons = plain
        for place in stride(from: 62, to: 0, by: -2) {
            withColons.insert(":", at: withColons.index(withColons.startIndex, offsetBy: place))
        }
        let fingerprint = CertificateFingerprint(plain)
        #expect(fingerprint?.bytes == Array(repeatElement([0x0a, 0xf9], count: 16).joined()))
        #expect(CertificateFingerprint(withColons) == fingerprint)
        #expect(fingerprint?.description == plain.lowercased())
    }

    @Test(arguments: [
        "", "0a", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
        String(repeating: "0", count: 65), String(repeating: "٣", count: 64),
    ])
    func `anything else is none`(text: String) { #expect(CertificateFingerprint(text) == nil) }
}
