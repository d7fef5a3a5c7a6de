import CSodium

/// What an operator pins of a server's certificate, as a SHA-256: all of it, or its public key, which outlives renewals.
public struct CertificatePin: Hashable, Sendable, CustomStringConvertible {
    enum Part: Sendable {
        /// The certificate's DER form.
        case certificate
        /// Its SubjectPublicKeyInfo in DER form (RFC 7469 section 2.4).
        case publicKey
    }

    private static let keyPrefix = "spki:"

    let part: Part
    /// 32 bytes.
    let digest: [UInt8]

    /// From 64 hexadecimal digits in either case, with or without colons, as `openssl x509 -fingerprint -sha256` prints; or
    /// from `spki:` and the public key's digest in base64, as HPKP and curl write it.
    public init?(_ text: String) {
        if text.hasPrefix(Self.keyPrefix) {
            guard let digest = Base64.bytes(of: String(text.dropFirst(Self.keyPrefix.count))) else { return nil }
            self.init(.publicKey, digest)
        } else {
            guard let digest = Self.bytes(ofHex: text) else { return nil }
            self.init(.certificate, digest)
        }
    }

    private init?(_ part: Part, _ digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        self.part = part
        self.digest = digest
    }

    /// Of these bytes.
    init(_ part: Part, of der: ArraySlice<UInt8>) {
        self.part = part
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe crypto_hash_sha256(&digest, Array(der), UInt64(der.count))
        self.digest = digest
    }

    public var description: String {
        switch part {
        case .certificate: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .publicKey: Self.keyPrefix + Base64.text(of: digest)
        }
    }

    private static func bytes(ofHex text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" }.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return bytes
    }
}

/// Base64 by libsodium: the ordinary alphabet, padded.
enum Base64 {
    /// Line ends and spaces do not count; nil for anything that is not base64 from one end to the other.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count)
        var count = 0
        let status = unsafe sodium_base642bin(
            &bytes, bytes.count, text, text.utf8.count, "\r\n ", &count, nil, Int32(sodium_base64_VARIANT_ORIGINAL))
        return status == 0 ? Array(bytes.prefix(count)) : nil
    }

    static func text(of bytes: [UInt8]) -> String {
        let size = sodium_base64_encoded_len(bytes.count, Int32(sodium_base64_VARIANT_ORIGINAL))
        var text = [CChar](repeating: 0, count: size)
        _ = unsafe sodium_bin2base64(&text, size, bytes, bytes.count, Int32(sodium_base64_VARIANT_ORIGINAL))
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
