import Domain
import Testing

@testable import IRCProtocol

@Suite("Messages of several lines")
struct MultilineMessagesTests {
    private var messages = MultilineMessages()

    /// What the lines come to when the last of them is taken: the text of the message, `broken`, or nil.
    private mutating func play(_ lines: [String], at now: Duration = .zero) throws -> String? {
        var result: String?
        for line in lines {
            let message = try #require(IRCMessage(line))
            if message.command == "BATCH", message.tag("batch") == nil {
                if messages.begin(message, now: now) { continue }
                switch messages.end(message, now: now) {
                case .message(let whole):
                    result = whole.lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
                case .broken: result = "broken"
                case .none: result = nil
                }
            } else {
                _ = messages.take(message, .rfc1459)
            }
        }
        return result
    }

    private static let opening = ":n!u@h BATCH +1 draft/multiline #c"

    private mutating func play(inside lines: [String]) throws -> String? {
        try play([Self.opening] + lines + [":irc.test BATCH -1"])
    }

    @Test("the example of the specification is the message it says")
    mutating func example() throws {
        let text = try play([
            "@msgid=xxx;account=account :n!u@h BATCH +123 draft/multiline #channel",
            "@batch=123 :n!u@h PRIVMSG #channel hello", "@batch=123 :n!u@h PRIVMSG #channel :",
            "@batch=123 :n!u@h PRIVMSG #channel :how is ",
            "@batch=123;draft/multiline-concat :n!u@h PRIVMSG #channel :everyone?", "BATCH -123",
        ])
        #expect(text == "hello\n\nhow is everyone?")
    }

    @Test("a character cut in two by a joined line is whole again; a first line that is joined to nothing stands alone")
    mutating func joined() throws {
        messages = MultilineMessages()
        let opening = try #require(IRCMessage(Self.opening))
        #expect(messages.begin(opening, now: .zero) == true)
        for half in [[0xC3], [0xBC]] as [[UInt8]] {
            let line = Array("@draft/multiline-concat;batch=1 :n!u@h PRIVMSG #c :".utf8) + half
            let message = try #require(IRCMessage(line[...]))
            #expect(messages.take(message, .rfc1459) == true)
        }
        guard case .message(let whole) = messages.end(try #require(IRCMessage("BATCH -1")), now: .zero) else {
            Issue.record("no message")
            return
        }
        #expect(whole.lines == [Array("ü".utf8)])
    }

    @Test(
        "what breaks a rule is no message",
        arguments: [
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h PRIVMSG #d :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :m!u@h PRIVMSG #c :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@elsewhere PRIVMSG #c :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 PRIVMSG #c :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h NOTICE #c :b"],
            ["@batch=1 :n!u@h NOTICE #c :a", "@batch=1 :n!u@h NOTICE #c :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h QUIT :b"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h BATCH +2 draft/multiline #c"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h PRIVMSG #c"],
            ["@batch=1 :n!u@h PRIVMSG #c :a", "@batch=1 :n!u@h PRIVMSG"], [],
        ])
    mutating func broken(lines: [String]) throws { #expect(try play(inside: lines) == "broken") }

    @Test("other spellings of the target are the target")
    mutating func spelling() throws {
        #expect(try play(inside: ["@batch=1 :n!u@h PRIVMSG #C :a", "@batch=1 :n!u@h privmsg #c :b"]) == "a\nb")
    }

    @Test("two at once are two, and a line of one that is closed belongs to none")
    mutating func interleaved() throws {
        let first = try play([
            Self.opening, ":m!u@h BATCH +2 draft/multiline #c", "@batch=1 :n!u@h PRIVMSG #c :a",
            "@batch=2 :m!u@h PRIVMSG #c :x", "@batch=1 :n!u@h PRIVMSG #c :b", "BATCH -1",
        ])
        #expect(first == "a\nb")
        let late = try #require(IRCMessage("@batch=1 :n!u@h PRIVMSG #c :late"))
        #expect(messages.take(late, .rfc1459) == false)
        #expect(try play(["BATCH -2"]) == "x")
        #expect(try play(["BATCH -2"]) == nil)
    }

    @Test("other batches, and openings that name no target or too much, are none of these")
    mutating func others() throws {
        for line in [
            "BATCH +1 chathistory #c", "BATCH +1 draft/multiline", "BATCH + draft/multiline #c", "BATCH +1",
            "BATCH 1 draft/multiline #c", "BATCH +1 draft/multiline #c more", "BATCH",
        ] { #expect(!messages.begin(try #require(IRCMessage(line)), now: .zero), "\(line)") }
    }

    @Test("bytes and lines are bounded, and what is too long is let go at once")
    mutating func bounds() throws {
        let long = "@batch=1 :n!u@h PRIVMSG #c :" + String(repeating: "x", count: 399)
        #expect(try play(inside: Array(repeating: long, count: 100)) != "broken")
        #expect(try play(inside: Array(repeating: long, count: 101)) == "broken")
        let concat = "@batch=1;draft/multiline-concat :n!u@h PRIVMSG #c :" + String(repeating: "x", count: 400)
        #expect(try play(inside: Array(repeating: concat, count: 200)) == "broken")
        let empty = "@batch=1 :n!u@h PRIVMSG #c :"
        #expect(try play(inside: Array(repeating: empty, count: 1000)) != "broken")
        #expect(try play(inside: Array(repeating: empty, count: 1001)) == "broken")
    }

    @Test("a server that opens many and closes none fills no memory, and has them all again a minute later")
    mutating func neverClosed() throws {
        for number in 0..<100 {
            let line = try #require(IRCMessage(":n!u@h BATCH +\(number) draft/multiline #c"))
            #expect(messages.begin(line, now: .zero) == (number < MultilineMessages.maxOpen))
        }
        let later = try #require(IRCMessage(":n!u@h BATCH +x draft/multiline #c"))
        #expect(messages.begin(later, now: .seconds(60)) == true)
    }

    @Test("one that takes a minute to end is no message")
    mutating func slow() throws {
        _ = try play([Self.opening, "@batch=1 :n!u@h PRIVMSG #c :a"])
        #expect(try play(["BATCH -1"], at: .seconds(60)) == "broken")
    }
}
