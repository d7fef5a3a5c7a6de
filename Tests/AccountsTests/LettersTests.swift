import Domain
import Testing

@testable import Accounts

@Suite struct LettersTests {
    @Test func `letters read well in a text client`() throws {
        let name = try #require(AccountName("alice"))
        let email = try #require(EmailAddress("alice@example.org"))
        let bot = Nick("confab", .ascii)
        for letter in [
            Letter.reset(name, email, "K7M2-X9QP-4RTV", bot),
            Letter.verify(name, email, "K7M2-X9QP-4RTV", bot),
        ] {
            #expect(letter.lines.allSatisfy { $0.count <= 72 && $0.allSatisfy(\.isASCII) })
            #expect(letter.lines.contains { $0.hasPrefix("    /msg confab ") && $0.contains("K7M2-X9QP-4RTV") })
        }
    }
}
