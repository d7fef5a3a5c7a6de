import Testing

@testable import Dialogue

@Suite struct PasswordSearchTests {
    @Test(
        "a password is found with whatever signs around it",
        arguments: [
            "%", "<%>", "\"%\".", "(%)", "pw=%", "pw:%", "alice:%", "alice:%,", "login:alice:%", "it is %!", "“%”",
            "`%`", "'%';", "a\t%\tb", "%\u{200B}", "**%**", "x|%", "--password=%", "_%_",
        ])
    func found(_ text: String) {
        for password in ["Canary-7yq", "<odd>:ones", "пароль-1", "пässwörd", "pw=x=y!", "12345678"] {
            let said = text.replacing("%", with: password)
            let hits = PasswordSearch.words(in: said, shortest: 6, most: 2) { $0.elementsEqual(password.utf8) }
            #expect(hits == [password], "\(said)")
        }
    }

    @Test func `short words are no passwords, and no more are found than asked for`() {
        var seen: [String] = []
        _ = PasswordSearch.words(in: "a bc login tiger", shortest: 6, most: 2) { word in
            seen.append(String(decoding: word, as: UTF8.self))
            return false
        }
        #expect(seen == [])
        #expect(PasswordSearch.words(in: "onetwo threefour fivesix", shortest: 6, most: 2) { _ in true }.count == 2)
    }
}
