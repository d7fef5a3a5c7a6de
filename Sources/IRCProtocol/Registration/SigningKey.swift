import COpenSSL

/// A private key on the curve P-256, for the SASL mechanism ECDSA-NIST256P-CHALLENGE.
///
/// What it prints as is its type's name: the key stays in libcrypto's memory and goes with the value.
@safe public final class SigningKey: @unchecked Sendable {
    // Never changed after `init`; OpenSSL lets threads read a key at once.
    private let key: OpaquePointer

    /// Reads PEM, as `openssl ecparam -genkey -name prime256v1` writes it; nil for any other kind of key, and for one that
    /// has a passphrase, since nobody is there to type it.
    public init?(pem: [UInt8]) {
        guard let key = unsafe Self.key(in: pem) else { return nil }
        unsafe self.key = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Signs 32 bytes as they are, without hashing them first, and returns the signature in DER.
    func signature(of digest: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = signature.count
        guard unsafe EVP_PKEY_sign_init(context) == 1 else { return nil }
        guard unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1 else { return nil }
        return Array(signature.prefix(count))
    }

    private static func key(in pem: [UInt8]) -> OpaquePointer? {
        guard let source = unsafe BIO_new_mem_buf(pem, Int32(pem.count)) else { return nil }
        defer { unsafe BIO_free(source) }
        // Without the callback OpenSSL asks the terminal for a passphrase.
        let key = unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
        guard let key = unsafe key else { return nil }
        guard unsafe isP256(key) else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe key
    }

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return false }
        return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
    }
}
