import Domain
import Testing

struct AccountNameTests {
    @Test(arguments: ["ab", "alice", "Alice_1", "a-b", "--", "0123456789abcdef0123456789ABCDEF"])
    func `short ASCII names are taken`(name: String) { #expect(AccountName(name)?.spelling == name) }

    @Test(arguments: [
        "", "a", String(repeating: "a", count: 33), "al ice", "alice ", "alice[1]", "al.ice", "a@b", "älice", "аlice",
        "alice\0", "a\nb", "ａｌｉｃｅ", "al\u{200B}ice", "alice\u{301}",
    ])
    func `nothing that could look like another name is`(name: String) { #expect(AccountName(name) == nil) }

    @Test func `case is shown and never compared`() throws {
        let name = try #require(AccountName("Alice"))
        #expect(name == AccountName("aLICE"))
        #expect(Set([name, AccountName("ALICE")]).count == 1)
        #expect("\(name)" == "Alice")
        #expect(name.folded == "alice")
    }
}

struct EmailAddressTests {
    @Test(arguments: [
        "a@example.org", "First.Last+tag@sub.example.co.uk", "o'brien@example.org", "a@xn--bcher-kva.example",
        "1@2.example", "a_b-c!#$%&*/=?^`{|}~@example.org", "a@example.xn--p1ai",
    ])
    func `ordinary addresses are taken as typed`(address: String) {
        #expect(EmailAddress(address)?.spelling == address)
    }

    @Test(arguments: [
        "", "@", "a", "a@", "@example.org", "a@b", "a@b@example.org", "a b@example.org", "a@exa mple.org",
        "a@example..org", "a@.example.org", "a@example.org.", "a@-example.org", "a@example-.org", "a@example.o",
        "a@127.0.0.1", "a@[127.0.0.1]", "\"a b\"@example.org", "a,b@example.org", "<a@example.org>", "ä@example.org",
        "a@exämple.org", "a@example.org\r\nBcc: b@example.org", "a@exam_ple.org", "a\0@example.org",
        String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "a", count: 64) + ".org",
        "a@" + String(repeating: "abcdefgh.", count: 28) + "org",
    ])
    func `what cannot be an address is not`(text: String) { #expect(EmailAddress(text) == nil) }

    @Test func `case is shown and never compared`() throws {
        let address = try #require(EmailAddress("Alice@Example.org"))
        #expect(address == EmailAddress("aLICE@eXAMPLE.ORG"))
        #expect(Set([address, EmailAddress("alice@example.org")]).count == 1)
    }
}
