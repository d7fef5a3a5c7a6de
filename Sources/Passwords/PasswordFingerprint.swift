public import Domain
import CSodium

/// A few bits of a password, by which a word can be told at once not to be it.
///
/// Sixteen bits of SipHash under a key of this process (<https://doc.libsodium.org/hashing/short-input_hashing>): of the words
/// that are not the password one in 65,536 passes for it, and whoever reads the bits has still all of the guessing to do.
/// What passes is checked against the real hash before anything is made of it. In memory only, and gone with the login.
public struct PasswordFingerprint: Sendable, Equatable {
    private let bits: UInt16

    public init(_ password: Secret) { bits = Self.bits(of: password.reveal()) }

    /// False where this is surely not the password.
    public func mayBe(_ word: some StringProtocol) -> Bool { Self.bits(of: String(word)) == bits }

    private static func bits(of text: String) -> UInt16 {
        // In whichever form it is typed: see `OpaqueString`.
        var text = OpaqueString.prepared(text) ?? text
        var digest: InlineArray<8, UInt8> = [0, 0, 0, 0, 0, 0, 0, 0]
        var span = digest.mutableSpan
        text.withUTF8 { utf8 in
            unsafe span.withUnsafeMutableBufferPointer { digest in
                guard let start = digest.baseAddress else { return }
                _ = unsafe crypto_shorthash(start, utf8.baseAddress, UInt64(utf8.count), key)
            }
        }
        return UInt16(digest[0]) << 8 | UInt16(digest[1])
    }

    private static let key: [UInt8] = {
        precondition(sodium_init() >= 0, "libsodium cannot start: the system gives no random numbers")
        var key = [UInt8](repeating: 0, count: Int(crypto_shorthash_KEYBYTES))
        unsafe randombytes_buf(&key, key.count)
        return key
    }()
}
