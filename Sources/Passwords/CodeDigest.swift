public import Domain
import CSodium

/// The digest by which a code sent to somebody is stored.
///
/// A fast one (BLAKE2b, <https://doc.libsodium.org/hashing/generic_hashing>): a code is random, lives for minutes and has
/// a few tries, so that nobody gains by the digest; it keeps the database from holding what opens an account.
public enum CodeDigest {
    /// Hexadecimal; letters of a code are taken without case.
    public static func of(_ code: Secret) -> String {
        let bytes = Array(CaseMapping.ascii.fold(code.reveal()).utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
        let digits = Array("0123456789abcdef")
        return digest.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    }
}
