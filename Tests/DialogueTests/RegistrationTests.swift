import Domain
import Testing

@testable import Dialogue

@Suite struct RegistrationTests {
    @Test(
        "e-mail address and password may come in either order",
        arguments: [["tiger1", "a@example.org"], ["a@example.org", "tiger1"], ["tiger1", "<a@example.org>"]])
    func order(_ words: [String]) {
        let given = Registration(words)
        #expect(given.password?.reveal() == "tiger1")
        #expect(given.email?.folded == "a@example.org")
        #expect(given.firstName == nil && given.lastName == nil)
    }

    @Test(
        "what can be meant in one way only is understood",
        arguments: [
            ["password=tiger1", "email=a@example.org"], ["email=a@example.org", "pw=tiger1"],
            ["tiger1", "mail=a@example.org"], ["password=tiger1", "a@example.org"], ["tiger1", "\"a@example.org\""],
            ["tiger1", "mailto:a@example.org"], ["tiger1", "a@example.org,"], ["alice", "tiger1", "a@example.org"],
            ["Alice", "tiger1", "<a@example.org>"], ["tiger1", "[a@example.org]"],
        ])
    func understood(_ words: [String]) {
        let given = Registration(words, nick: "alice")
        #expect(given.problem == nil)
        #expect(given.password?.reveal() == "tiger1")
        #expect(given.email?.folded == "a@example.org")
        #expect(given.firstName == nil && given.lastName == nil)
    }

    @Test(
        "what can be meant in two ways is refused with the reason",
        arguments: [
            (["correct", "horse", "a@example.org"], Registration.Problem.spaces),
            (["correct", "horse", "battery", "a@example.org", "Alice"], .spaces),
            (["\"correct", "horse\"", "a@example.org"], .spaces), (["\"tiger1\"", "a@example.org"], .quotes),
            (["<tiger1>", "a@example.org"], .quotes), (["'tiger1'", "a@example.org"], .quotes),
            (["a@example.org", "<tiger1>"], .quotes), (["tiger1", "alice@home"], .noAddress("alice@home")),
            (["tiger1", "@example.org", "Alice"], .noAddress("@example.org")),
            (["tiger1", "a@b@example.org"], .noAddress("a@b@example.org")),
        ])
    func refused(_ words: [String], _ problem: Registration.Problem) {
        #expect(Registration(words, nick: "alice").problem == problem)
    }

    @Test func `a word with signs in it is a password as it stands`() {
        for word in ["p=q=r", "<tiger", "tiger>", "it's", "a@b", "x", "semi;colon"] {
            let given = Registration([word, "a@example.org"])
            #expect(given.problem == nil)
            #expect(given.password?.reveal() == word)
        }
    }

    @Test func `names are what is left, the last name being all after the first`() {
        let given = Registration(["a@example.org", "tiger1", "Ludwig", "van", "Beethoven"])
        #expect(given.firstName == "Ludwig")
        #expect(given.lastName == "van Beethoven")
    }

    @Test func `a password that looks like an address is one when it stands first`() {
        let given = Registration(["me@home.org", "a@example.org"])
        #expect(given.password?.reveal() == "me@home.org")
        #expect(given.email?.folded == "a@example.org")
    }

    @Test func `missing parts are named`() {
        #expect(Registration([]).missing(isEmailRequired: true) == ["a password", "an e-mail address"])
        #expect(Registration(["tiger1"]).missing(isEmailRequired: true) == ["an e-mail address"])
        #expect(Registration(["a@example.org"]).missing(isEmailRequired: true) == ["a password"])
        #expect(Registration(["tiger1"]).missing(isEmailRequired: false) == [])
        #expect(Registration(["tiger1", "not-an-address"]).missing(isEmailRequired: true) == ["an e-mail address"])
    }

    @Test func `an account without an address has a password and names`() {
        let given = Registration(["tiger1", "Alice"])
        #expect(given.password?.reveal() == "tiger1")
        #expect(given.firstName == "Alice")
        #expect(given.email == nil)
    }

    @Test(
        "a nick that is no account name gets a fitting suggestion",
        arguments: [
            ("a[b]|away", "a_b_away"), ("{carol}", "carol"), ("jürgen", "j_rgen"), ("x", "my-x"), ("[]", "my-name"),
            ("^_^", "my-name"), ("`1up", "u1up"),
            (String(repeating: "q", count: 40), String(repeating: "q", count: 32)),
        ])
    func suggestion(_ nick: String, _ expected: String) {
        let suggestion = Registration.suggestion(for: Nick(nick, .rfc1459))
        #expect(suggestion == expected)
        #expect(AccountName(suggestion) != nil)
    }
}
