import Testing

@testable import IRCProtocol

@Suite("CTCP")
struct CTCPTests {
    private func parse(_ text: String) -> CTCP? { CTCP(Array(text.utf8)[...]) }

    @Test("is what stands between \\x01, the second one optional")
    func parsing() throws {
        #expect(parse("\u{1}ACTION waves\u{1}") == parse("\u{1}action waves"))
        #expect(parse("\u{1}ACTION waves\u{1}")?.argument.elementsEqual("waves".utf8) == true)
        #expect(parse("\u{1}")?.command == "")
        #expect(parse("\u{1}\u{1}")?.command == "")
        #expect(parse("hello \u{1}PING\u{1}") == nil)
        #expect(parse("") == nil)
    }

    @Test("PING, VERSION and SOURCE are answered, nothing else is")
    func answers() throws {
        let table: [(String, String?)] = [
            ("PING 12345", "\u{1}PING 12345\u{1}"), ("PING", "\u{1}PING\u{1}"),
            ("PING " + String(repeating: "x", count: 65), nil), ("PING a\u{2}b", nil),
            ("VERSION", "\u{1}VERSION Confab 1\u{1}"), ("SOURCE", "\u{1}SOURCE home\u{1}"), ("TIME", nil),
            ("FINGER", nil), ("USERINFO", nil), ("CLIENTINFO", nil), ("DCC SEND f 1 2 3", nil), ("", nil),
        ]
        for (request, answer) in table {
            var replies = CTCPReplies(version: "Confab 1", source: "home")
            #expect(replies.answer(to: try #require(parse("\u{1}\(request)\u{1}")), at: .zero) == answer)
        }
    }

    @Test("three in a minute are answered, whoever asks")
    func limit() throws {
        var replies = CTCPReplies(version: "Confab 1", source: "home")
        let request = try #require(parse("\u{1}VERSION\u{1}"))
        let answered = (0..<200).filter { replies.answer(to: request, at: .milliseconds($0 * 1000)) != nil }
        #expect(answered == [0, 1, 2, 60, 61, 62, 120, 121, 122, 180, 181, 182])
    }
}
