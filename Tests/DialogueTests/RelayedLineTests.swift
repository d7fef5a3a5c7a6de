import Testing

@testable import Dialogue

/// What relays put before a line.
@Suite struct RelayedLineTests {
    @Test(
        "the usual forms tell who speaks",
        arguments: [
            "<bob> confab: hi", "[discord] <bob> confab: hi", "(bob) confab: hi", "<bob/irc> confab: hi",
            "**bob**: confab: hi", "**bob** confab: hi", "<b\u{200B}ob> confab: hi", "[telegram] (bob) confab: hi",
            "<@bob> confab: hi", "<bob>  confab: hi", "`bob`: confab: hi", "<\u{2}bob\u{2}> confab: hi",
            "\u{200B}<bob> confab: hi", "<bob>: confab: hi", "[m] **bob**: confab: hi",
        ])
    func usual(line: String) throws {
        for isRelay in [false, true] {
            let relayed = try #require(RelayedLine(line, isRelay: isRelay))
            #expect(relayed.name == "bob")
            #expect(relayed.text == "confab: hi")
        }
    }

    @Test("a bare name is one only from a relay", arguments: ["bob: hi", "[bob] hi", "bob> hi", "[irc] bob: hi"])
    func bare(line: String) {
        #expect(RelayedLine(line, isRelay: false) == nil)
        let relayed = RelayedLine(line, isRelay: true)
        #expect(relayed?.text == "hi" || relayed?.text == "bob: hi")
    }

    @Test(
        "other lines have no name before them",
        arguments: [
            "hello", "<bob>", "<> hi", "< > hi",
            "(this is a remark that goes on for so long that it can be no name at all, can it) hi",
            "a < b > c", "**bold** ", "x: y", "", "`code` is nice", "<bob>hi",
        ])
    func none(line: String) { #expect(RelayedLine(line, isRelay: false) == nil) }

    @Test func `a name with spaces is one, and what is long behind it costs nothing`() {
        let line = "<Bob the Builder> " + String(repeating: "<x> ", count: 2000)
        #expect(RelayedLine(line, isRelay: true)?.name == "Bob the Builder")
        #expect(RelayedLine(String(repeating: "<", count: 8000), isRelay: true) == nil)
    }
}
