import CCurl

/// The certificate a server showed, whether or not it holds.
struct ServerCertificate: Sendable {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    private let der: [UInt8]

    /// From PEM, whatever stands before it; nil when there is none.
    init?(pem: String) {
        guard let begin = pem.firstRange(of: Self.begin), let end = pem.firstRange(of: Self.end),
            begin.upperBound <= end.lowerBound,
            let der = Base64.bytes(of: String(pem[begin.upperBound..<end.lowerBound])), !der.isEmpty
        else { return nil }
        self.der = der
    }

    init(der: [UInt8]) { self.der = der }

    /// What it can be recognised by.
    var pins: [CertificatePin] {
        let key = publicKey.map { CertificatePin(.publicKey, of: $0) }
        return [CertificatePin(.certificate, of: der[...])] + (key.map { [$0] } ?? [])
    }

    /// The SubjectPublicKeyInfo (RFC 5280 section 4.1): in the inner sequence it follows version, serial number, signature
    /// algorithm, issuer, validity and subject, and the version may be missing.
    private var publicKey: ArraySlice<UInt8>? {
        var outside = der[...]
        guard let certificate = DERElement(takenFrom: &outside), certificate.tag == DERElement.sequence
        else { return nil }
        var inside = certificate.content
        guard let signed = DERElement(takenFrom: &inside), signed.tag == DERElement.sequence else { return nil }
        var fields = signed.content
        guard var field = DERElement(takenFrom: &fields) else { return nil }
        let isVersion = field.tag == DERElement.version
        for _ in 0..<(isVersion ? 6 : 5) {
            guard let next = DERElement(takenFrom: &fields) else { return nil }
            field = next
        }
        return field.tag == DERElement.sequence ? field.whole : nil
    }
}

/// One value in DER (X.690 section 8.1): a tag, a length and the content.
private struct DERElement {
    static let sequence: UInt8 = 0x30
    /// The explicit tag 0 of a certificate's version.
    static let version: UInt8 = 0xA0

    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// Tag and length included.
    let whole: ArraySlice<UInt8>

    /// Takes the first one off; nil where the bytes are none, or fewer than they say.
    init?(takenFrom bytes: inout ArraySlice<UInt8>) {
        let start = bytes.startIndex
        var rest = bytes
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // No certificate is as long as four bytes can say; an indefinite length is not DER.
            guard (0x81...0x83).contains(first) else { return nil }
            length = 0
            for _ in 0..<(first - 0x80) {
                guard let byte = rest.popFirst() else { return nil }
                length = length << 8 | Int(byte)
            }
        }
        guard rest.count >= length else { return nil }
        self.tag = tag
        content = rest.prefix(length)
        whole = bytes[start..<content.endIndex]
        bytes = bytes[content.endIndex...]
    }
}

extension EasyHandle {
    /// The certificate the server showed in the handshake (`CURLINFO_CERTINFO`).
    var serverCertificate: ServerCertificate? {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        guard unsafe ccurl_get_certinfo(pointer, &chain) == CURLE_OK, let chain = unsafe chain,
            unsafe chain.pointee.num_of_certs > 0
        else { return nil }
        var field = unsafe chain.pointee.certinfo[0]
        while let line = unsafe field {
            let text = unsafe String(cString: line.pointee.data)
            if text.hasPrefix("Cert:") { return ServerCertificate(pem: text) }
            unsafe field = unsafe line.pointee.next
        }
        return nil
    }
}
