import Domain
import Testing

struct SecretTests {
    private struct Settings {
        let user = "alice"
        let password = Secret("hunter22")
        let spare: Secret? = Secret("hunter22")
        let more = ["key": Secret("hunter22")]
    }

    @Test func `a secret never prints, by whatever way`() {
        let secret = Secret("hunter22")
        var dumped = ""
        dump(secret, to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), secret.description,
            secret.debugDescription, "\([secret])", "\(Optional(secret) as Any)", dumped,
        ]
        for text in texts { #expect(!text.contains("hunter")) }
        #expect("\(secret)" == "(secret)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `a value that holds a secret does not print it either`() {
        let settings = Settings()
        var dumped = ""
        dump(settings, to: &dumped)
        for text in [dumped, "\(settings)", String(reflecting: settings)] {
            #expect(text.contains("alice"))
            #expect(!text.contains("hunter"))
        }
    }

    @Test func `who needs the text must say so`() {
        #expect(Secret("hunter22").reveal() == "hunter22")
    }

    @Test func `length is counted in what people call characters`() {
        #expect(Secret("pässwörd").characterCount == 8)
        #expect(Secret("👩‍👩‍👧‍👦").characterCount == 1)
        #expect(Secret("").isEmpty)
        #expect(!Secret(" ").isEmpty)
    }
}
