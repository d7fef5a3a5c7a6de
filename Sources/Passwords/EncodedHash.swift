import CSodium

/// A hash as it is stored, taken apart: `$argon2id$v=19$m=65536,t=2,p=1$<salt>$<digest>`, the text form of the reference
/// implementation, in the one shape that `crypto_pwhash_str` writes.
struct EncodedHash: Sendable {
    static let saltSize = Int(crypto_pwhash_SALTBYTES)
    static let digestSize = 32

    let strength: PasswordHasher.Strength
    let salt: [UInt8]
    let digest: [UInt8]

    init(strength: PasswordHasher.Strength, salt: [UInt8], digest: [UInt8]) {
        self.strength = strength
        self.salt = salt
        self.digest = digest
    }

    /// Nil where the text has any other shape.
    init?(_ text: String) {
        let fields = text.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].isEmpty, fields[1] == "argon2id", fields[2] == "v=19" else { return nil }
        let costs = fields[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3, costs[0].hasPrefix("m="), costs[1].hasPrefix("t="), costs[2] == "p=1"
        else { return nil }
        // In KiB; UInt32 is what the format allows, and 8 KiB and one pass the least that libsodium takes.
        guard let memory = UInt32(costs[0].dropFirst(2)), memory >= 8 else { return nil }
        guard let passes = UInt32(costs[1].dropFirst(2)), passes >= 1 else { return nil }
        guard let salt = Self.bytes(fields[4], Self.saltSize), let digest = Self.bytes(fields[5], Self.digestSize)
        else { return nil }
        self.init(strength: .init(memory: Int(memory) * 1024, passes: Int(passes)), salt: salt, digest: digest)
    }

    /// Exactly so many bytes from base 64 without padding.
    private static func bytes(_ text: Substring, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        let status = unsafe sodium_base642bin(
            &bytes, size, String(text), text.utf8.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
        return status == 0 && count == size ? bytes : nil
    }
}
