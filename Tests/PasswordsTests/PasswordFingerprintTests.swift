import Domain
import Testing

@testable import Passwords

@Suite struct PasswordFingerprintTests {
    @Test(arguments: ["correct-horse", "päß wört", "пароль", "", "\u{0}x", String(repeating: "x", count: 5000)])
    func `a password passes for itself`(_ password: String) {
        #expect(PasswordFingerprint(Secret(password)).mayBe(Array(password.utf8)[...]))
        #expect(PasswordFingerprint(Secret(password)).mayBe(Array("-\(password)".utf8).dropFirst()))
    }

    @Test func `nearly nothing else passes for it`() {
        let fingerprint = PasswordFingerprint(Secret("correct-horse"))
        // 20,000 words at one in 65,536: more than ten would be no chance.
        #expect((0..<20_000).count { fingerprint.mayBe(Array("word\($0)".utf8)[...]) } <= 10)
    }

    @Test func `it tells nothing where it is printed`() {
        #expect("\(PasswordFingerprint(Secret("correct-horse")))".contains("correct") == false)
    }
}
