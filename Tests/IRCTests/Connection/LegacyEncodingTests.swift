import Domain
import Runtime
import TestKit
import Testing

@testable import IRC

@Suite("Lines in an old encoding")
struct LegacyEncodingTests {
    /// The same words in encodings that people on IRC have used.
    static let samples: [(encoding: String, bytes: [UInt8], text: String)] = [
        (
            "windows-1252",
            [
                0x53, 0x63, 0x68, 0xF6, 0x6E, 0x65, 0x73, 0x20, 0x43, 0x61, 0x66, 0xE9, 0x20, 0x66, 0xFC, 0x72, 0x20,
                0x35, 0x20, 0x80,
            ],
            "Schönes Café für 5 €"
        ),
        ("windows-1252", [0x43, 0x61, 0x66, 0xE9], "Café"), ("ISO-8859-15", [0x35, 0xA4, 0x21], "5€!"),
        ("KOI8-R", [0xD0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "привет"),
        ("CP1251", [0xEF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "привет"),
        ("SHIFT_JIS", [0x82, 0xB1, 0x82, 0xF1, 0x82, 0xC9, 0x82, 0xBF, 0x82, 0xCD], "こんにちは"),
        ("EUC-KR", [0xBE, 0xC8, 0xB3, 0xE7], "안녕"), ("GBK", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
        ("windows-1252", [0x61, 0x81, 0xE9, 0x62], "a\u{FFFD}éb"),
    ]

    @Test("are read as what their people wrote", arguments: samples.indices)
    func reading(number: Int) throws {
        let sample = Self.samples[number]
        let encoding = try #require(LegacyEncoding(sample.encoding))
        let decoder = try #require(LegacyDecoder(encoding.name))
        let received = ReceivedText(sample.bytes[...], decoder, isFull: false)
        #expect(received.text == sample.text)
        #expect(received.isGarbled)
    }

    @Test(
        "need a name that the system knows, of an encoding in which ASCII is ASCII",
        arguments: [
            "", "windows-9999", "UTF-16", "UTF-32", "UCS-2", "UTF-7", "EBCDIC-US", "windows-1252//IGNORE", "/", "a b",
            "../x", "\u{E9}",
            String(repeating: "x", count: 10_000),
        ])
    func names(name: String) { #expect(LegacyEncoding(name) == nil) }

    @Test("do not change what is UTF-8, nor a last character that was cut")
    func valid() throws {
        let decoder = try #require(LegacyDecoder("windows-1252"))
        for text in ["", "plain", "grüße 🙂", "\u{FFFD}"] {
            #expect(
                ReceivedText(Array(text.utf8)[...], decoder, isFull: false)
                    == ReceivedText(text: text, isGarbled: false))
        }
        for last in ["ü", "€", "🙂"] {
            let bytes = Array("grüße \(last)".utf8)
            for cut in 1..<last.utf8.count {
                for decoder in [decoder, nil] {
                    let received = ReceivedText(bytes.dropLast(cut), decoder, isFull: false)
                    #expect(received == ReceivedText(text: "grüße ", isGarbled: true), "\(last) without \(cut)")
                }
            }
        }
        // Of a line that fills the wire the last letter is one that was cut.
        let long = Array(String(repeating: "a", count: 440).utf8) + [0xE2, 0x82]
        #expect(ReceivedText(long[...], decoder, isFull: true).text.utf8.count == 440)
    }

    @Test("cost what they are long, whatever is in them")
    func cost() throws {
        let decoder = try #require(LegacyDecoder("windows-1252"))
        func cost(_ count: Int) -> Duration {
            let bytes = [UInt8](repeating: 0x81, count: count)
            let begin = Time.system.now()
            for _ in 0..<10 { #expect(decoder.text(of: bytes[...]).utf8.count == count * 3) }
            return Time.system.now() - begin
        }
        _ = cost(1000)
        #expect(cost(64_000) < cost(8000) * 24 + .milliseconds(50))
    }

    @Test("are heard on the wire, marked; what fills the line is marked too")
    func wire() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, legacyEncoding: LegacyEncoding("windows-1252"))
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "batch message-tags draft/multiline=max-bytes=4096")
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        let sample = Self.samples[0]
        let head = Array(":alice!a@home PRIVMSG #lobby :".utf8)
        let long = String(repeating: "sixteen letters ", count: 29)
        for text in [
            sample.bytes, Array("\u{1}ACTION ".utf8) + sample.bytes + [1], Array("grüße".utf8),
            Array(long.utf8.prefix(478)),
            Array(long.utf8.prefix(330)), Array(long.utf8.prefix(300)),
        ] { wire.send(bytes: head + text + [0x0D, 0x0A]) }
        // A person whose nick is no text cannot be told from another.
        wire.send(bytes: Array(":b".utf8) + [0xE9] + Array("b!b@b PRIVMSG #lobby :who am I\r\n".utf8))
        wire.send(":alice!a@home BATCH +1 draft/multiline #lobby")
        wire.send(bytes: Array("@batch=1 :alice!a@home PRIVMSG #lobby :".utf8) + sample.bytes + [0x0A])
        wire.send("@batch=1 :alice!a@home PRIVMSG #lobby :two")
        wire.send(":irc.test BATCH -1")
        #expect(await bot.hears("\(sample.text)\ntwo"))
        #expect(
            bot.messages.map(\.text).prefix(3) == [sample.text, sample.text, "grüße"], "\(bot.messages.map(\.text))")
        #expect(bot.messages.map(\.isGarbled) == [true, true, false, false, false, false, true])
        #expect(bot.messages.map(\.isFull) == [false, false, false, true, true, false, false])
        #expect(bot.messages.map(\.isAction).prefix(2) == [false, true])
        await bot.quit(closing: wire)
    }
}
