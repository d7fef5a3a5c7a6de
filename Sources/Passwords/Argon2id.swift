import CSodium

/// Argon2id as libsodium does it, at one strength: <https://doc.libsodium.org/password_hashing/default_phf>.
///
/// Hashing and matching block for as long as the strength takes, and hold its memory no longer than that: libsodium maps
/// it and unmaps it.
struct Argon2id: Sendable {
    let strength: PasswordHasher.Strength

    init(_ strength: PasswordHasher.Strength) {
        precondition(Self.isReady, "libsodium cannot start: the system gives no random numbers")
        self.strength = strength
    }

    /// Hashes with a salt of its own; salt and strength stand in the text.
    func hash(_ password: String) throws(PasswordFailure) -> String {
        var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = Array(password.utf8CString)
        let status = unsafe crypto_pwhash_str(
            &encoded, bytes, UInt64(bytes.count - 1), UInt64(strength.passes), strength.memory)
        // The arguments being right, there is but one reason left.
        guard status == 0 else { throw .outOfMemory }
        return String(decoding: encoded.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether this is the password of the hash, at the strength the hash was made with; compared in constant time.
    ///
    /// Not `crypto_pwhash_str_verify`: up to 1.0.18 at least it reports a want of memory as another password.
    static func matches(_ password: String, _ hash: EncodedHash) throws(PasswordFailure) -> Bool {
        var digest = [UInt8](repeating: 0, count: hash.digest.count)
        let bytes = Array(password.utf8CString)
        let status = unsafe crypto_pwhash(
            &digest, UInt64(digest.count), bytes, UInt64(bytes.count - 1), hash.salt, UInt64(hash.strength.passes),
            hash.strength.memory, crypto_pwhash_ALG_ARGON2ID13)
        guard status == 0 else { throw .outOfMemory }
        return unsafe sodium_memcmp(digest, hash.digest, digest.count) == 0
    }

    /// A hash that no password has and that costs as much to check as any: random bytes where the result would stand.
    func decoy() -> EncodedHash {
        EncodedHash(
            strength: strength, salt: Self.random(EncodedHash.saltSize), digest: Self.random(EncodedHash.digestSize))
    }

    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe randombytes_buf(&bytes, count)
        return bytes
    }

    /// Done before anything else of libsodium, once in the process.
    private static let isReady = sodium_init() >= 0
}
