import Testing

@testable import Passwords

struct EncodedHashTests {
    private static let salt = String(repeating: "A", count: 22)
    private static let digest = String(repeating: "A", count: 43)

    @Test func `a hash of libsodium is read as it was written`() throws {
        let strength = PasswordHasher.Strength(memory: 16384, passes: 3)
        let hash = try #require(EncodedHash(try Argon2id(strength).hash("secret")))
        #expect(hash.strength == strength)
        #expect(try Argon2id.matches("secret", hash))
        #expect(try !Argon2id.matches("Secret", hash))
    }

    @Test func `memory is counted in KiB, and salt and digest are base 64 without padding`() throws {
        let text = "$argon2id$v=19$m=64,t=2,p=1$\(Self.salt)$\(Self.digest)"
        let hash = try #require(EncodedHash(text))
        #expect(hash.strength == .init(memory: 65536, passes: 2))
        #expect(hash.salt == [UInt8](repeating: 0, count: 16))
        #expect(hash.digest == [UInt8](repeating: 0, count: 32))
    }

    @Test(arguments: [
        "", "$", "$$$$$", "plain", "$argon2i$v=19$m=64,t=2,p=1$\(salt)$\(digest)",
        "$argon2id$v=16$m=64,t=2,p=1$\(salt)$\(digest)", "$argon2id$v=19$m=64,t=2,p=2$\(salt)$\(digest)",
        "$argon2id$v=19$m=7,t=2,p=1$\(salt)$\(digest)", "$argon2id$v=19$m=64,t=0,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=99999999999,t=2,p=1$\(salt)$\(digest)", "$argon2id$v=19$m=-8,t=2,p=1$\(salt)$\(digest)",
        "$argon2id$v=19$m=64,t=2,p=1$\(salt)A$\(digest)", "$argon2id$v=19$m=64,t=2,p=1$\(salt)$\(digest)AA",
        "$argon2id$v=19$m=64,t=2,p=1$$\(digest)", "$argon2id$v=19$m=64,t=2,p=1$\(salt)$\(digest)$",
        "$argon2id$v=19$m=64,t=2,p=1$\(salt)$!!!!", "$argon2id$v=19$t=2,m=64,p=1$\(salt)$\(digest)",
    ])
    func `any other shape is no hash`(text: String) { #expect(EncodedHash(text) == nil) }
}
