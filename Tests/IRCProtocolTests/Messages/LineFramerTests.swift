import Testing

@testable import IRCProtocol

@Suite("Framing")
struct LineFramerTests {
    private func lines(_ chunks: [[UInt8]]) -> [String] {
        var framer = LineFramer()
        var lines: [String] = []
        for chunk in chunks {
            framer.append(chunk) { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return true
            }
        }
        return lines
    }

    @Test("LF ends a line; CR and NUL go wherever they stand; empty lines fall away")
    func ends() {
        #expect(lines([Array("a\r\nb\n\r\n\n\rc\rd\0e\r\n\0\nf".utf8)]) == ["a", "b", "cde"])
    }

    @Test("a line may come in any pieces, also in the middle of a character")
    func pieces() {
        let bytes = Array("grüße 🙂\r\nzwei\r\n".utf8)
        for size in 1...bytes.count {
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(lines(chunks) == ["grüße 🙂", "zwei"])
        }
    }

    @Test(
        "a line above 16 KiB is dropped, however it comes, and the next one is understood", arguments: [1000, 70_000])
    func overlong(chunk: Int) {
        let bytes = Array(("a\n" + String(repeating: "x", count: 40_000) + "\nb\n").utf8)
        let chunks = stride(from: 0, to: bytes.count, by: chunk).map { Array(bytes[$0..<min($0 + chunk, bytes.count)]) }
        #expect(lines(chunks) == ["a", "b"])
    }

    @Test("the longest line that tags allow passes")
    func longest() {
        let line = String(repeating: "t", count: 8191 + 510)
        #expect(lines([Array((line + "\r\n").utf8)]) == [line])
    }

    @Test("what is left falls away when the reader has had enough")
    func stop() {
        var framer = LineFramer()
        var seen = 0
        framer.append(Array("a\nb\nc".utf8)) { _ in
            seen += 1
            return false
        }
        #expect(seen == 1)
    }
}
