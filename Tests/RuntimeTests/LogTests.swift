import Domain
import FoundationEssentials
import Runtime
import Synchronization
import TestKit
import Testing

struct LogTests {
    private final class Lines: Sendable {
        let kept = Mutex<[String]>([])
        func log(_ format: Log.Format, _ level: Log.Level = .debug) -> Log {
            Log(level: level, format: format, time: ManualTime().time) { line in self.kept.withLock { $0.append(line) }
            }
        }
        var all: [String] { kept.withLock { $0 } }
    }

    /// What a stranger might type to make a line, a field or a terminal his own.
    static let hostile = [
        "a\nb", "a\r\nb", "a\u{85}b", "a\u{2028}b", "a\u{1B}[31mred", "\0", "a\u{202E}b", "a\u{2066}b",
        "x level=error", "\" level=error \"", "\"\u{301} level=error", "x \u{301}level=error", "x=\u{301}y", "\\\"",
        "\\\u{301}\"\u{301},\"level\":\"error", "\u{301}",
    ]

    @Test func `a line has the time, the level, the message and the values`() {
        let lines = Lines()
        lines.log(.text).info("joined", ["channel": "#confab", "members": 3])
        #expect(lines.all == ["2026-09-21T14:13:20.000Z info joined channel=#confab members=3"])
    }

    @Test func `levels below the configured one are silent`() {
        let lines = Lines()
        let log = lines.log(.text, .warning)
        log.debug("a")
        log.info("b")
        log.warning("c")
        log.error("d")
        #expect(lines.all.map { $0.suffix(9) } == ["warning c", "Z error d"])
    }

    @Test func `values with spaces, quotes or nothing in them stay one value`() {
        let lines = Lines()
        lines.log(.text).info("said", ["a": "two words", "b": "say \"hi\"", "c": "", "d": "x=y"])
        #expect(lines.all[0].hasSuffix("said a=\"two words\" b=\"say 'hi'\" c=\"\" d=\"x=y\""))
    }

    @Test(arguments: hostile)
    func `a text line cannot be forged`(value: String) throws {
        let lines = Lines()
        lines.log(.text).info("said", ["text": value, "end": 1])
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        expectPlain(line)
        // By bytes, as a program reads it: one value, in quotes where it needs them, and the next one after it.
        let rest = try #require(
            line.utf8.firstRange(of: Array(" text=".utf8)).map { Array(line.utf8[$0.upperBound...]) })
        let quote = UInt8(ascii: "\"")
        let (after, body) =
            rest.first == quote
            ? (rest.dropFirst().drop { $0 != quote }.dropFirst(), rest.dropFirst().prefix { $0 != quote })
            : (rest.drop { $0 != UInt8(ascii: " ") }, rest.prefix { $0 != UInt8(ascii: " ") })
        #expect(String(decoding: after, as: UTF8.self) == " end=1")
        #expect(rest.first == quote || !body.contains(UInt8(ascii: "=")))
    }

    @Test(arguments: hostile)
    func `a JSON line cannot be forged`(value: String) throws {
        let lines = Lines()
        lines.log(.json).info("said", ["text": value, "end": 1])
        let line = try #require(lines.all.first)
        expectPlain(line)
        let members = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(Set(members.keys) == ["time", "level", "message", "text", "end"])
        #expect(members["level"] == "info")
        #expect(members["text"]?.unicodeScalars.count == value.unicodeScalars.count)
    }

    @Test func `a value cannot grow without bound`() {
        let lines = Lines()
        lines.log(.text).info("said", ["text": String(repeating: "x", count: 1_000_000)])
        #expect(lines.all[0].utf8.count < 2100)
    }

    @Test(arguments: Log.Format.allCases)
    func `a secret in a value does not show`(format: Log.Format) {
        let lines = Lines()
        lines.log(format).info("said", ["password": Secret("hunter22")])
        #expect(!lines.all[0].contains("hunter"))
        #expect(lines.all[0].contains("(secret)"))
    }

    private func expectPlain(_ line: String) {
        for scalar in line.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control)
            #expect(!(0x2028...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
        }
    }
}
