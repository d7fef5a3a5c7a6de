import Testing

@testable import IRCProtocol

@Suite("A line of the protocol")
struct IRCMessageTests {
    private func canonical(_ line: String, limit: Int = 10, size: Int = 998) throws -> String {
        var bytes: [UInt8] = []
        let isWritten = try #require(IRCMessage(line)).writeCanonical(to: &bytes, limit: limit, size: size)
        #expect(isWritten == !bytes.isEmpty)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "is taken apart",
        arguments: [
            ("PING", nil, "PING", []),
            ("PING :a b", nil, "PING", ["a b"]),
            (":irc.test 001 bot :Hi", "irc.test", "001", ["bot", "Hi"]),
            (":a!b@c PRIVMSG #x ::-)", "a!b@c", "PRIVMSG", ["#x", ":-)"]),
            (":a!b@c PRIVMSG #x :", "a!b@c", "PRIVMSG", ["#x", ""]),
            (":a  privmsg   #x    y   z  ", "a", "PRIVMSG", ["#x", "y", "z"]),
            (":a MODE #x +o b:c", "a", "MODE", ["#x", "+o", "b:c"]),
            ("@a=b;c :d E f", "d", "E", ["f"]),
            ("@a=b E", nil, "E", []),
            ("   :a B", "a", "B", []),
        ] as [(String, String?, String, [String])])
    func parts(line: String, prefix: String?, command: String, params: [String]) throws {
        let message = try #require(IRCMessage(line))
        #expect(message.prefix == prefix)
        #expect(message.command == command)
        #expect(message.params == params)
        #expect(message.count == params.count)
        #expect(message[params.count] == nil)
    }

    @Test("is none without a command", arguments: ["", "   ", ":", ":x", ":x  ", "@a=b", "@a=b :x", "ÄÖ x", "\u{1}"])
    func noCommand(line: String) { #expect(IRCMessage(line) == nil) }

    @Test("unescapes tags, takes the last of two, and tells an empty one from none")
    func tags() throws {
        let message = try #require(IRCMessage(#"@a=x\:\s\\\r\n\y\;b;c=;d=1;d=2 :n E"#))
        #expect(message.tag("a") == "x; \\\r\ny")
        #expect(message.tag("b") == "")
        #expect(message.tag("c") == "")
        #expect(message.tag("d") == "2")
        #expect(message.tag("e") == nil)
    }

    @Test("repairs broken UTF-8 in its text and keeps the bytes beside")
    func invalid() throws {
        let message = try #require(IRCMessage((Array("PING :a".utf8) + [0xFF, 0xFE])[...]))
        #expect(message[0] == "a\u{FFFD}\u{FFFD}")
        #expect(message.raw(0).map(Array.init) == [0x61, 0xFF, 0xFE])
    }

    @Test("tells people from servers by their masks")
    func masks() throws {
        let person = try #require(IRCMessage(":alice!a@home QUIT"))
        #expect(person.isFromPerson && person.nick == "alice")
        let server = try #require(IRCMessage(":irc.test QUIT"))
        #expect(!server.isFromPerson && server.nick == "irc.test")
    }

    @Test(
        "is written for the library without tags, with a space after the command and a colon before the last parameter")
    func canonicalForm() throws {
        #expect(try canonical("@t=1 :nick AWAY") == ":nick AWAY \r\n")
        #expect(try canonical(":a  B  c   d") == ":a B c :d\r\n")
        #expect(try canonical("B c :") == "B c :\r\n")
        #expect(try canonical("B 1 2 3 4", limit: 3) == "B 1 2 :3\r\n")
        let long = try canonical(":a!b@c PRIVMSG #x :" + String(repeating: "z", count: 5000))
        #expect(long.utf8.count == 1000 && long.hasSuffix("z\r\n"))
        #expect(try canonical(":" + String(repeating: "z", count: 5000) + " PRIVMSG #x :y").isEmpty)
        #expect(try canonical(":a!b@c JOIN " + String(repeating: "z", count: 5000) + " y").isEmpty)
    }

    @Test("gets a colon for its last parameter only where it needs one")
    func writing() {
        #expect(IRCMessage.line("CAP", "LS", "302") == "CAP LS 302")
        #expect(IRCMessage.line("USER", "u", "0", "*", "Real Name") == "USER u 0 * :Real Name")
        #expect(IRCMessage.line("PASS", ":x") == "PASS ::x")
        #expect(IRCMessage.line("PASS", "") == "PASS :")
    }
}
