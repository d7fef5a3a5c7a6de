import Domain
import Testing

@testable import IRC

@Suite("Lines that fit the wire")
struct LineSplitterTests {
    private let connection = ConnectionID(network: NetworkName("net"), epoch: 1)
    private let channel = Target.channel(ChannelName("#confab", .ascii))

    private func splitter(user: String? = "bot", host: String? = "example.org") -> LineSplitter {
        LineSplitter(nick: "confab", user: user, host: host)
    }

    private func texts(
        _ lines: [String], prefix: String = "alice: ", maxLines: Int? = nil, continuation: String = ""
    ) -> [String] {
        let utterance = Utterance(
            on: connection, to: channel, form: .message, prefix: prefix, lines: lines, maxLines: maxLines,
            continuation: continuation)
        return splitter().texts(of: utterance)
    }

    @Test("a line with the mask others see fills the 512 bytes exactly")
    func budget() {
        let line = ":confab!bot@example.org PRIVMSG #confab :\r\n"
        #expect(splitter().budget(for: .message, to: channel) == 512 - line.utf8.count)
        let notice = ":confab!bot@example.org NOTICE #confab :\r\n"
        #expect(splitter().budget(for: .notice, to: channel) == 512 - notice.utf8.count)
        #expect(splitter(host: nil).budget(for: .message, to: channel) == 512 - line.utf8.count - 63 + 11)
        var long = splitter()
        long.lineLength = 2048
        #expect(long.budget(for: .message, to: channel) == 2048 - line.utf8.count)
    }

    @Test("text is cut at spaces, long words between characters, and nothing is empty")
    func cuts() {
        #expect(LineSplitter.pieces(of: "the quick brown fox", budget: 10) == ["the quick", "brown fox"])
        #expect(LineSplitter.pieces(of: "ten chars! more", budget: 10) == ["ten chars!", "more"])
        #expect(
            LineSplitter.pieces(of: "yyyyyyyyyyyyyyyyyyyyyyyyy", budget: 10) == ["yyyyyyyyyy", "yyyyyyyyyy", "yyyyy"])
        #expect(
            LineSplitter.pieces(of: "a yyyyyyyyyyyyyyyyyyyyyyyy", budget: 10) == ["a yyyyyyyy", "yyyyyyyyyy", "yyyyyy"])
        #expect(LineSplitter.pieces(of: "a          b            c", budget: 10) == ["a", "b", "c"])
        #expect(LineSplitter.pieces(of: "    code that goes on", budget: 12) == ["    code", "that goes on"])
        #expect(LineSplitter.pieces(of: "                    x", budget: 10) == ["x"])
        #expect(LineSplitter.pieces(of: "", budget: 10) == [])
        #expect(LineSplitter.pieces(of: "    ", budget: 10) == [])
    }

    @Test("a cut never goes through a character, however many bytes it has")
    func characters() {
        #expect(LineSplitter.pieces(of: "xxxxxxxxx🙂", budget: 10) == ["xxxxxxxxx", "🙂"])
        #expect(LineSplitter.pieces(of: "ééééé", budget: 5) == ["éé", "éé", "é"])
        #expect(LineSplitter.pieces(of: "🇩🇪🇫🇷🇮🇹", budget: 12) == ["🇩🇪", "🇫🇷", "🇮🇹"])
        #expect(LineSplitter.pieces(of: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", budget: 30) == ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"])
        #expect(LineSplitter.pieces(of: "漢字漢字 漢字", budget: 13) == ["漢字漢字", "漢字"])
        #expect(LineSplitter.pieces(of: "ab \u{301}cd ef", budget: 6) == ["ab \u{301}c", "d ef"])
    }

    @Test("a character longer than a line is cut between scalars")
    func monster() {
        let monster = "a" + String(repeating: "\u{301}", count: 20)
        let pieces = LineSplitter.pieces(of: monster, budget: 10)
        #expect(pieces.allSatisfy { $0.utf8.count <= 10 && !$0.unicodeScalars.contains("\u{FFFD}") })
        #expect(Array(pieces.joined().utf8) == Array(monster.utf8))
    }

    @Test("every line carries the prefix, line ends make lines, blank lines go")
    func prefix() {
        #expect(
            texts(["one", "", "  ", "two\r\nthree\rfour\n\nfive"])
                == ["alice: one", "alice: two", "alice: three", "alice: four", "alice: five"])
        let long = texts([String(repeating: "word ", count: 200)])
        #expect(long.count == 3 && long.allSatisfy { $0.hasPrefix("alice: word") && $0.hasSuffix("word") })
        #expect(long.allSatisfy { $0.utf8.count <= splitter().budget(for: .message, to: channel) })
        #expect(texts([]) == [] && texts([" "]) == [])
    }

    @Test("nothing but text comes through, neither in lines nor in the prefix nor in the continuation")
    func cleaned() {
        #expect(
            texts(["\u{1}VERSION\u{1}\0"], prefix: "a\u{202E}: ", maxLines: 0, continuation: "\u{3}{n}\r\nQUIT")
                == ["a: 1", "a: QUIT"])
    }

    @Test("lines above the limit are counted, and told after the last one")
    func continuation() {
        let lines = ["1", "2", "3", "4", "5"]
        let more = "({n} more, HISTORY 1)"
        #expect(texts(lines, prefix: "", maxLines: 3, continuation: more) == ["1", "2", "3", "(2 more, HISTORY 1)"])
        #expect(texts(lines, prefix: "", maxLines: 5, continuation: more) == lines)
        #expect(texts(lines, prefix: "", maxLines: nil, continuation: more) == lines)
        #expect(texts(lines, prefix: "", maxLines: 2) == ["1", "2"])
        #expect(texts(lines, prefix: "", maxLines: 0, continuation: more) == ["(5 more, HISTORY 1)"])
        let wide = texts([String(repeating: "x", count: 1000), "y"], prefix: "", maxLines: 1, continuation: "{n}")
        #expect(wide.count == 2 && wide.last == "3")
    }
}
