import CCurl
import CSodium

/// The SHA-256 of a certificate's DER form, which operators pin.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// 32 of them.
    public let bytes: [UInt8]

    /// From 64 hexadecimal digits in either case, with or without colons, as `openssl x509 -fingerprint -sha256` prints.
    public init?(_ text: String) {
        let digits = text.filter { $0 != ":" }.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        self.bytes = bytes
    }

    /// Of a certificate in PEM form, whatever stands before it; nil when there is none.
    init?(pem: String) {
        guard let begin = pem.firstRange(of: "-----BEGIN CERTIFICATE-----"),
            let end = pem.firstRange(of: "-----END CERTIFICATE-----"), begin.upperBound <= end.lowerBound
        else { return nil }
        let text = String(pem[begin.upperBound..<end.lowerBound])
        var der = [UInt8](repeating: 0, count: text.utf8.count)
        var count = 0
        let status = unsafe sodium_base642bin(
            &der, der.count, text, text.utf8.count, "\r\n ", &count, nil, Int32(sodium_base64_VARIANT_ORIGINAL))
        guard status == 0, count > 0 else { return nil }
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe crypto_hash_sha256(&digest, der, UInt64(count))
        bytes = digest
    }

    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension EasyHandle {
    /// The certificate the server showed in the handshake, whether or not it was checked (`CURLINFO_CERTINFO`).
    var serverFingerprint: CertificateFingerprint? {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        guard unsafe ccurl_get_certinfo(pointer, &chain) == CURLE_OK, let chain = unsafe chain,
            unsafe chain.pointee.num_of_certs > 0
        else { return nil }
        var field = unsafe chain.pointee.certinfo[0]
        while let line = unsafe field {
            let text = unsafe String(cString: line.pointee.data)
            if text.hasPrefix("Cert:") { return CertificateFingerprint(pem: text) }
            unsafe field = unsafe line.pointee.next
        }
        return nil
    }
}
