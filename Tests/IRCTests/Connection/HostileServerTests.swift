import Domain
import IRC
import IRCProtocol
import TestKit
import Testing

/// Every line that breaks libircclient or other bots, each followed by a good line that must be understood.
@Suite("The relay on a hostile server")
struct HostileServerTests {
    private static func bytes(_ line: String) -> [UInt8] { Array(line.utf8) }

    static let poison: [(name: String, bytes: [UInt8])] = [
        ("an over-long line", bytes(":x!y@z PRIVMSG #lobby :" + String(repeating: "z", count: 1100) + "\r\n")),
        ("a line of 20 KiB", bytes(":x!y@z PRIVMSG #lobby :" + String(repeating: "z", count: 20_000) + "\r\n")),
        ("tags of 8 KiB", bytes("@a=" + String(repeating: "t", count: 8180) + " :x!y@z PRIVMSG #elsewhere :x\r\n")),
        ("an over-long prefix", bytes(":" + String(repeating: "z", count: 1100) + "!u@h JOIN #lobby\r\n")),
        ("an over-long middle", bytes(":x!y@z KICK #lobby " + String(repeating: "z", count: 1100) + " :x\r\n")),
        ("a CTCP in the middle", bytes(":x!y@z PRIVMSG confab \u{1}ACTION\u{1} :x\r\n")),
        ("an empty line", bytes("\r\n")),
        ("a lone LF", bytes("\n")),
        ("a lone CR", bytes("\r")),
        ("many empty lines", bytes("\r\n\n\n\r\n\r\r\n")),
        ("a prefix-less NICK", bytes("NICK x\r\n")),
        ("N", bytes("N\r\n")),
        ("P", bytes("P\r\n")),
        ("a prefix alone", bytes(":x\r\n")),
        ("a colon alone", bytes(":\r\n")),
        ("tags alone", bytes("@a=b\r\n")),
        ("an unknown tagged line", bytes("@time=2026-01-01T00:00:00.000Z :x!y@z FROBNICATE a b\r\n")),
        ("another user's nick that begins like ours", bytes(":confabmaster!u@h NICK :evil\r\n")),
        ("another user's nick that ours begins like", bytes(":conf!u@h NICK :mallory\r\n")),
        ("a NOTICE of one parameter", bytes("NOTICE confab\r\n")),
        ("a PRIVMSG of one parameter", bytes(":x!y@z PRIVMSG confab\r\n")),
        ("a bare AWAY", bytes(":nick AWAY\r\n")),
        ("a bare QUIT", bytes(":nick!u@h QUIT\r\n")),
        ("a bare JOIN", bytes(":nick!u@h JOIN\r\n")),
        ("a bare PART", bytes(":nick!u@h PART\r\n")),
        ("a bare KICK", bytes(":nick!u@h KICK #lobby\r\n")),
        ("a bare NICK", bytes(":nick!u@h NICK\r\n")),
        (
            "a bare numeric",
            bytes(":irc.test 353\r\n:irc.test 366\r\n:irc.test 005\r\n:irc.test 001\r\n:irc.test 404\r\n")
        ),
        ("double spaces", bytes(":irc.test  NOTICE   confab   :x\r\n")),
        ("twenty parameters", bytes(":irc.test 353 " + (1...20).map { "p\($0)" }.joined(separator: " ") + "\r\n")),
        ("a lone \\x01", bytes(":x!y@z PRIVMSG confab :\u{1}\r\n")),
        ("two \\x01", bytes(":x!y@z PRIVMSG confab :\u{1}\u{1}\r\n")),
        ("FINGER", bytes(":x!y@z PRIVMSG confab :\u{1}FINGER\u{1}\r\n")),
        ("TIME in the channel", bytes(":x!y@z PRIVMSG #lobby :\u{1}TIME\u{1}\r\n")),
        ("DCC SEND", bytes(":x!y@z PRIVMSG confab :\u{1}DCC SEND f 2130706433 4000 9\u{1}\r\n")),
        ("DCC CHAT", bytes(":x!y@z PRIVMSG confab :\u{1}DCC CHAT chat 2130706433 4000\u{1}\r\n")),
        ("NUL", [0x3A, 0x78] + [0, 0, 0x0D, 0x0A]),
        ("FF FE", bytes(":x!y@z NOTICE confab :") + [0xFF, 0xFE, 0x0D, 0x0A]),
        ("MODE of ours without a mode", bytes(":confab MODE confab\r\n")),
        ("KILL of somebody else", bytes(":oper!o@h KILL somebody :bye\r\n")),
        ("a mask cut short", bytes(":x! NICK :y\r\n:x!@ NICK :y\r\n:!@ JOIN #lobby\r\n")),
        ("CHGHOST of one parameter", bytes(":x!y@z CHGHOST u\r\n")),
        ("a batch never opened", bytes("BATCH -none\r\nBATCH\r\nBATCH +\r\n")),
        ("a CAP nobody asked for", bytes("CAP\r\nCAP * \r\nCAP * LS :sasl\r\nCAP * ACK :sasl\r\nAUTHENTICATE +\r\n")),
    ]

    @Test("after each such line the next good one is understood, nothing is misrouted, and every PING is answered")
    func poisoned() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby")
        for (number, line) in Self.poison.enumerated() {
            wire.send(bytes: line.bytes)
            wire.send(":alice!a@home PRIVMSG #lobby :open \(number)")
            wire.send(":alice!a@home PRIVMSG confab :closed \(number)")
            wire.send("PING :token  \(number) ü")
            #expect(await bot.hears("closed \(number)"), "after \(line.name)")
        }
        let channel = Place.channel(ChannelName("#lobby", .rfc1459))
        let good = bot.messages.filter { $0.sender.nick.spelling == "alice" }
        let expected = Self.poison.indices.flatMap { [("open \($0)", channel), ("closed \($0)", Place.direct)] }
        #expect(good.map(\.text) == expected.map(\.0))
        #expect(good.map(\.place) == expected.map(\.1))
        let last = Self.poison.count - 1
        _ = try await wire.expect("the last PONG") { $0.raw == "PONG :token  \(last) ü" }
        let pongs = wire.lines.filter { $0.command == "PONG" }.map(\.raw)
        #expect(pongs == Self.poison.indices.map { "PONG :token  \($0) ü" })
        #expect(!wire.lines.contains { $0.command == "NOTICE" })
        await bot.quit(closing: wire)
    }

    @Test("a thousand PINGs get a thousand PONGs, byte for byte and in order, also where bytes are no UTF-8")
    func pings() async throws {
        let server = try ScriptedIRCServer(answersPings: false)
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        wire.send((0..<1000).map { "PING :\($0)" }.joined(separator: "\r\n"))
        _ = try await wire.expect("the last PONG") { $0.raw == "PONG :999" }
        #expect(wire.lines.filter { $0.command == "PONG" }.map(\.raw) == (0..<1000).map { "PONG :\($0)" })
        await bot.quit(closing: wire)
    }
}
