import Domain
import Testing

struct NamesTests {
    @Test(arguments: [
        (CaseMapping.rfc1459, "ALICE[A]\\~^", "alice{a}|^^"),
        (.rfc1459Strict, "ALICE[A]\\~^", "alice{a}|~^"),
        (.ascii, "ALICE[A]\\~^", "alice[a]\\~^"),
    ])
    func `each casemapping folds what its network folds`(mapping: CaseMapping, name: String, folded: String) {
        #expect(mapping.fold(name) == folded)
    }

    @Test(arguments: [CaseMapping.rfc1459, .rfc1459Strict, .ascii])
    func `letters beyond ASCII, digits and punctuation stay`(mapping: CaseMapping) {
        for name in ["Ä", "É", "漢字", "🦉", "0_-`", "#", "@{|}", "ſ", "\u{212A}"] { #expect(mapping.fold(name) == name) }
    }

    @Test(arguments: [CaseMapping.rfc1459, .rfc1459Strict, .ascii])
    func `folding a folded name changes nothing`(mapping: CaseMapping) {
        let all = String(decoding: (0x21...0x7E) as ClosedRange<UInt8>, as: UTF8.self)
        #expect(mapping.fold(mapping.fold(all)) == mapping.fold(all))
    }

    @Test(arguments: [
        ("ascii", CaseMapping.ascii), ("rfc7613", .ascii), ("rfc1459", .rfc1459), ("rfc1459-strict", .rfc1459Strict),
        ("strict-rfc1459", .rfc1459Strict), ("", .rfc1459), ("klingon", .rfc1459),
    ])
    func `an announced casemapping is known, an unknown one is the protocol's own`(token: String, mapping: CaseMapping)
    {
        #expect(CaseMapping(token: token) == mapping)
    }

    @Test(arguments: [
        ("alice", "hello Alice!", true), ("alice", "malice", true), ("alice", "alic e", false), ("al", "aaal", true),
        ("a[b", "is A{B there", true), ("éa", "xÉa éa", true), ("éa", "e\u{301}a", false), ("bot", "bo", false),
        ("bot", "", false), ("aab", "aaab", true), ("漢", "字漢字", true),
    ])
    func `whether a name is anywhere in a text is told as its letters are folded`(
        name: String, text: String, isIn: Bool
    ) {
        let mapping = CaseMapping.rfc1459
        #expect(mapping.isAnywhere(Array(mapping.fold(name).utf8), in: Array(text.utf8)[...]) == isIn)
    }

    @Test func `names are the same byte for byte, whatever Unicode takes for one`() {
        for (one, other) in [("é", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")] {
            #expect(Nick(one, .ascii) != Nick(other, .ascii))
            #expect(ChannelName("#\(one)", .ascii) != ChannelName("#\(other)", .ascii))
        }
        #expect(Nick("Élan", .ascii) == Nick("ÉLAN", .ascii))
    }

    @Test func `a nick is the same in every case, and shown as it was spelled`() {
        let nick = Nick("Alice[1]", .rfc1459)
        #expect(nick == Nick("aLICE{1}", .rfc1459))
        #expect(Set([nick, Nick("alice{1}", .rfc1459)]).count == 1)
        #expect(nick != Nick("alice", .rfc1459))
        #expect("\(nick)" == "Alice[1]")
        #expect(Nick("a[", .ascii) != Nick("a{", .ascii))
    }

    @Test func `a composed letter and its parts are two names, as they are to the server`() {
        #expect(Nick("\u{E9}", .ascii) != Nick("e\u{301}", .ascii))
        #expect(ChannelName("#\u{E9}", .ascii) != ChannelName("#e\u{301}", .ascii))
        #expect(Set([Nick("\u{E9}", .ascii), Nick("e\u{301}", .ascii)]).count == 2)
    }

    @Test func `a channel is the same in every case, and shown as it was spelled`() {
        let channel = ChannelName("#Confab~", .rfc1459)
        #expect(channel == ChannelName("#confab^", .rfc1459))
        #expect(ChannelName("#confab~", .rfc1459Strict) != ChannelName("#confab^", .rfc1459Strict))
        #expect("\(channel)" == "#Confab~")
        #expect(Place.channel(channel) != Place.direct)
    }
}
