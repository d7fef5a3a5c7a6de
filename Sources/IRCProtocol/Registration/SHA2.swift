import COpenSSL

/// The hash functions of SCRAM and what is made of them, by OpenSSL (<https://docs.openssl.org/3.0/man3/HMAC/>).
///
/// None of these can fail on bytes that are there: OpenSSL says no only where the process has no memory left.
package enum SHA2: Sendable {
    case sha256
    case sha512

    package var size: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        }
    }

    package func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, function, nil)
        precondition(status == 1, "libcrypto: EVP_Digest")
        return digest
    }

    /// HMAC, RFC 2104.
    package func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: size)
        let result = unsafe HMAC(function, key, Int32(key.count), bytes, bytes.count, &code, nil)
        precondition(unsafe result != nil, "libcrypto: HMAC")
        return code
    }

    /// PBKDF2, RFC 8018: takes as long as `iterations` say, about a second for a million.
    package func stretch(_ password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: size)
        let status = unsafe password.withUnsafeBytes { password in
            unsafe PKCS5_PBKDF2_HMAC(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(password.count), salt,
                Int32(salt.count), Int32(iterations), function, Int32(size), &key)
        }
        precondition(status == 1, "libcrypto: PKCS5_PBKDF2_HMAC")
        return key
    }

    private var function: OpaquePointer? {
        switch self {
        case .sha256: unsafe EVP_sha256()
        case .sha512: unsafe EVP_sha512()
        }
    }

    /// Compares without telling by the time it takes where the two differ.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }
}
