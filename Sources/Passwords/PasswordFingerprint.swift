public import Domain
import CSodium

/// A few bits of a password, by which a word can be told at once not to be it.
///
/// Sixteen bits of SipHash under a key of this process (<https://doc.libsodium.org/hashing/short-input_hashing>): of the words
/// that are not the password one in 65,536 passes for it, and whoever reads the bits has still all of the guessing to do.
/// What passes is checked against the real hash before anything is made of it. In memory only, and gone with the login.
public struct PasswordFingerprint: Sendable, Equatable {
    private let bits: UInt16

    public init(_ password: Secret) { bits = Self.bits(ofText: password.reveal()) }

    /// False where this, as UTF-8, is surely not the password.
    public func mayBe(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return Self.bits(ofText: String(decoding: word, as: UTF8.self)) == bits
        }
        return unsafe word.withUnsafeBufferPointer { unsafe Self.bits(of: $0) } == bits
    }

    /// In whichever form it is typed: see `OpaqueString`, by which plain ASCII stays as it is.
    private static func bits(ofText text: String) -> UInt16 {
        var text = OpaqueString.prepared(text) ?? text
        return text.withUTF8 { unsafe bits(of: $0) }
    }

    private static func bits(of word: UnsafeBufferPointer<UInt8>) -> UInt16 {
        var digest: InlineArray<8, UInt8> = [0, 0, 0, 0, 0, 0, 0, 0]
        var span = digest.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { digest in
            guard let start = digest.baseAddress else { return }
            _ = unsafe crypto_shorthash(start, word.baseAddress, UInt64(word.count), key)
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
