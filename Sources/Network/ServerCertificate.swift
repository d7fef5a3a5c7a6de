import CCurl
import COpenSSL

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
        let key = publicKey.map { CertificatePin(.publicKey, of: $0[...]) }
        return [CertificatePin(.certificate, of: der[...])] + (key.map { [$0] } ?? [])
    }

    /// The SubjectPublicKeyInfo (RFC 5280 section 4.1) in DER; nil where the bytes are no certificate.
    ///
    /// A stranger's bytes are read by the library that reads them in every handshake
    /// (<https://docs.openssl.org/3.0/man3/d2i_X509/>).
    private var publicKey: [UInt8]? {
        unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, bytes.count) else {
                // What could not be read stays in the thread's queue of errors, where curl would find it.
                ERR_clear_error()
                return nil
            }
            defer { unsafe X509_free(certificate) }
            var key: UnsafeMutablePointer<UInt8>?
            let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key)
            guard count > 0, let key = unsafe key else { return nil }
            defer { unsafe CRYPTO_free(key, nil, 0) }
            return unsafe Array(UnsafeBufferPointer(start: key, count: Int(count)))
        }
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
