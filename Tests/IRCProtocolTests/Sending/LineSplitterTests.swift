import Domain
import TestKit
import Testing

@testable import IRCProtocol

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
        splitter().texts(
            of: utterance(lines, prefix: prefix, maxLines: maxLines, continuation: continuation))
    }

    private func utterance(
        _ lines: [String], prefix: String = "alice: ", maxLines: Int? = nil, continuation: String = ""
    ) -> Utterance {
        Utterance(
            on: connection, to: channel, form: .message, prefix: prefix, lines: lines, maxLines: maxLines,
            continuation: continuation)
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

    @Test("a mask that is longer than any server shows leaves room for text all the same")
    func absurdMask() {
        let absurd = splitter(user: String(repeating: "u", count: 300), host: String(repeating: "h", count: 1000))
        #expect(absurd.budget(for: .message, to: channel) >= 150)
        let whole = splitter(host: String(repeating: "h", count: 253))
        #expect(whole.budget(for: .message, to: channel) == 512 - ":confab!bot@ PRIVMSG #confab :\r\n".utf8.count - 253)
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
            texts(["\u{1}VERSION\u{1}\0", "x"], prefix: "a\u{202E}: ", maxLines: 0, continuation: "\u{3}{n}\r\nQUIT")
                == ["a: 2", "a: QUIT"])
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

    @Test("the address opens the first line only, and no other begins like a command to another bot")
    func address() {
        var utterance = utterance(
            ["/first", "second", "!op mallory", "  .quit", "- item", "-5 and 1", "--help", "$20", "> x", "│", "`op"],
            prefix: "")
        utterance.address = "alice: "
        #expect(
            splitter().texts(of: utterance) == [
                "alice: /first", "second", "│ !op mallory", "│   .quit", "- item", "-5 and 1", "│ --help", "$20",
                "│ > x", "│",
                "│ `op",
            ])
        utterance.prefix = "[AI] "
        #expect(splitter().texts(of: utterance).prefix(3) == ["alice: [AI] /first", "[AI] second", "[AI] !op mallory"])
        utterance.prefix = ""
        utterance.target = .nick(Nick("alice", .ascii))
        utterance.address = ""
        #expect(splitter().texts(of: utterance) == utterance.lines)
    }

    @Test(
        "a name from behind a bridge that begins like a command opens no line", arguments: ["!op bob", ".bob", "-kick"])
    func names(name: String) {
        var utterance = utterance(["yes"], prefix: "")
        utterance.address = "\(name): "
        #expect(splitter().texts(of: utterance) == ["│ \(name): yes"])
        utterance.target = .nick(Nick("alice", .ascii))
        #expect(splitter().texts(of: utterance) == ["\(name): yes"])
        utterance.target = channel
        utterance.address = "^bob: "
        #expect(splitter().texts(of: utterance) == ["^bob: yes"])
    }

    @Test("lines of an answer fill the wire exactly, and no further, whatever opens them")
    func room() {
        for text in ["x", "word ", "/a ", "!b", "漢", ". "] {
            var utterance = utterance([String(repeating: text, count: 2000 / text.utf8.count)], prefix: "")
            utterance.address = "alice: "
            let budget = splitter().budget(for: .message, to: channel)
            let texts = splitter().texts(of: utterance)
            #expect(texts.allSatisfy { $0.utf8.count <= budget && $0.utf8.count > budget / 2 || $0 == texts.last })
            #expect(texts.first?.hasPrefix("alice: ") == true)
            #expect(texts.dropFirst().allSatisfy { !CommandShield.isNeeded(for: $0.utf8) })
        }
    }

    @Test(
        "the pieces of a line of code are the line",
        arguments: [
            "  docker run --rm -it -v /srv/a:/b -e A=1 --name x image  cmd ",
            "  x =    y   +        z;            // far away                               w ", "  aGVsbG8gd29ybGQ",
            "  a/b/c/!d/.e/",
            "  if a { b }; ", "  漢字 --flag /path ",
        ])
    func code(unit: String) {
        let line = "  " + String(repeating: unit, count: 1500 / unit.utf8.count) + "end"
        for target in [channel, .nick(Nick("alice", .ascii))] {
            var utterance = utterance(["So:", line], prefix: "")
            utterance.code = [1]
            utterance.target = target
            let said = splitter().texts(of: utterance)
            #expect(said.count > 3 && said.dropFirst().joined() == line)
            utterance.maxLines = 2
            utterance.continuation = "{n} more"
            let rest = splitter().extent(of: utterance).rest
            #expect(rest?.line == 1 && rest?.byte == said[1].utf8.count)
        }
    }

    @Test("whatever the text and the budget: pieces fit, are not empty, cut no character, and lose nothing but spaces")
    func properties() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<4000 {
            let text = OutgoingGate.clean(RandomText.make(upTo: 120, using: &random))
            let budget = Int.random(in: 4...120, using: &random)
            let pieces = LineSplitter.pieces(of: text, budget: budget)
            let isBroken = pieces.contains { $0.isEmpty || $0.utf8.count > budget || $0.utf8.allSatisfy { $0 == 0x20 } }
            #expect(!isBroken, "\(Array(text.unicodeScalars)) in \(budget)")
            #expect(withoutSpaces(pieces.joined()) == withoutSpaces(text), "\(Array(text.unicodeScalars)) in \(budget)")
            guard let longest = text.map(\.utf8.count).max(), longest <= budget else { continue }
            #expect(cutsOnlyBetweenCharacters(text, pieces), "\(Array(text.unicodeScalars)) in \(budget)")
        }
    }

    @Test("whatever is said: every line is safe and fits, and all but what was left out is there")
    func utterances() {
        var random = SeededGenerator(seed: 3)
        let budget = splitter().budget(for: .message, to: channel)
        for _ in 0..<500 {
            let lines = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                RandomText.make(upTo: 400, using: &random)
            }
            let all = texts(lines)
            #expect(all.allSatisfy { $0.utf8.count <= budget && OutgoingGate.isSafeLine(Array($0.utf8)) })
            #expect(all.allSatisfy { $0.hasPrefix("alice: ") || $0.utf8.starts(with: "alice: ".utf8) })
            let most = Int.random(in: 0...8, using: &random)
            let some = texts(lines, maxLines: most, continuation: "and {n} more")
            // One line more is said, not announced.
            let isWhole = all.count <= most + 1
            #expect(some == (isWhole ? all : all.prefix(most) + ["alice: and \(all.count - most) more"]))
        }
    }

    @Test("formatting is closed on every line and opened again on the next, and is never all there is of one")
    func formatting() {
        var random = SeededGenerator(seed: 5)
        let codes = FormattingCode.allCases.map { String(UnicodeScalar($0.rawValue)) }
        for _ in 0..<2000 {
            var line = ""
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                line += codes.randomElement(using: &random) ?? ""
                line += OutgoingGate.clean(RandomText.make(upTo: 40, using: &random))
            }
            let budget = Int.random(in: 80...160, using: &random)
            let pieces = LineSplitter.pieces(of: line, budget: budget)
            let plain = pieces.map { piece in piece.utf8.filter { $0 >= 0x20 } }
            #expect(pieces.allSatisfy { $0.utf8.count <= budget })
            #expect(plain.allSatisfy { !$0.isEmpty })
            #expect(plain.joined().filter { $0 != 0x20 } == line.utf8.filter { $0 > 0x20 })
            // What is on at each letter is what the line had on there, and nothing is on at an end.
            #expect(looks(of: pieces) == looks(of: [line]))
            #expect(pieces.allSatisfy { isClosed($0) })
        }
    }

    private func looks(of pieces: [String]) -> [Set<FormattingCode>] {
        pieces.flatMap { piece in
            var open: Set<FormattingCode> = []
            var looks: [Set<FormattingCode>] = []
            for byte in piece.utf8 {
                if let code = FormattingCode(rawValue: byte) { open.formSymmetricDifference([code]) }
                if byte > 0x20 { looks.append(open) }
            }
            return looks
        }
    }

    private func isClosed(_ piece: String) -> Bool {
        piece.utf8.last == FormattingCode.reset || FormattingCode.open(after: piece.utf8).isEmpty
    }

    @Test("codes come through only where the renderer put them, and only its own")
    func gate() {
        let line = "\u{2}bold\u{2} \u{3}4red\u{3} \u{1}VERSION\u{1} \u{16}r\u{F}"
        var utterance = utterance([line], prefix: "\u{2}alice: ")
        #expect(splitter().texts(of: utterance) == ["alice: bold 4red VERSION r"])
        utterance.isFormatted = true
        #expect(splitter().texts(of: utterance) == ["alice: \u{2}bold\u{2} 4red VERSION r"])
    }

    @Test("what an extent leaves out is what a further utterance says, to the last character")
    func extents() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let lines = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                OutgoingGate.clean(RandomText.make(upTo: 900, using: &random))
            }
            let utterance = utterance(lines, maxLines: Int.random(in: 0...8, using: &random))
            let extent = splitter().extent(of: utterance)
            let said = splitter().texts(of: utterance)
            #expect(said.count == extent.wireLines)
            guard let rest = extent.rest else {
                #expect(said == texts(lines))
                continue
            }
            var left = Array(lines[rest.line...])
            left[0] = String(decoding: left[0].utf8.dropFirst(rest.byte), as: UTF8.self)
            let all = (said + texts(left)).flatMap { $0.utf8.dropFirst("alice: ".utf8.count) }
            let isWhole = all.filter { $0 != 0x20 } == withoutSpaces(lines.joined())
            #expect(isWhole, "lines \(lines.map { Array($0.unicodeScalars) }) cut at \(rest)")
        }
    }

    @Test(
        "a megabyte on one line takes time in proportion",
        arguments: ["x", "漢", "word ", "é ", "🇩🇪", "\u{301}", "👩\u{200D}", " ", "\u{2}bold\u{2} "])
    func linear(unit: String) {
        let text = String(repeating: unit, count: 1 << 20 / unit.utf8.count)
        var formatted = utterance([text])
        formatted.isFormatted = true
        let duration = ContinuousClock().measure { _ = splitter().texts(of: formatted) }
        #expect(duration < .seconds(20), "a quadratic splitter takes minutes")
    }

    private func withoutSpaces(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0x20 } }

    private func cutsOnlyBetweenCharacters(_ text: String, _ pieces: [String]) -> Bool {
        var boundaries: Set<Int> = []
        var offset = 0
        for character in text where character != " " {
            boundaries.insert(offset)
            offset += character.utf8.filter { $0 != 0x20 }.count
        }
        boundaries.insert(offset)
        var position = 0
        for piece in pieces {
            position += withoutSpaces(piece).count
            if !boundaries.contains(position) { return false }
        }
        return true
    }
}
