import Glibc
import Synchronization
import TestKit
import Testing

@testable import Runtime

/// The log on a pipe.
struct LogWriterTests {
    private let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        unsafe pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
    }

    /// What is in the pipe until it stays empty.
    private func read(until isOver: (String) -> Bool) -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while !isOver(text) {
            var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 10_000) > 0 else { return text }
            let count = unsafe Glibc.read(reading, &bytes, bytes.count)
            text += String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        }
        return text
    }

    @Test func `nobody waits for a reader, and what is lost is counted and told when there is room again`() {
        let log = Log(level: .info, format: .text, to: writing)
        // The pipe takes 64 KiB, the writer four times that.
        let filling = String(repeating: "x", count: 1000)
        for number in 0..<1000 { log.info("line", ["number": number, "filling": filling]) }
        let text = read { $0.contains("lost") }
        let lines = text.split(separator: "\n")
        let told = lines.last { $0.contains("lines of the log were lost") }
        let lost = told?.split(separator: "=").last.flatMap { Int($0) } ?? 0
        #expect(lines.count - 1 + lost == 1000)
        #expect(lost > 500 && lines.first?.contains("number=0 ") == true)
        log.info("afterwards")
        #expect(read { $0.contains("afterwards") }.hasSuffix("info afterwards\n"))
    }

    @Test func `the end waits for what is written, and not for what nobody reads`() {
        let writer = LogWriter(to: writing) { "lost \($0)" }
        writer.write("one")
        writer.flush(within: .seconds(20))
        #expect(read { $0.hasSuffix("\n") } == "one\n")
        for _ in 0..<100 { writer.write(String(repeating: "x", count: 1000)) }
        writer.flush(within: .milliseconds(20))
        #expect(read { $0.utf8.count == 100_100 }.utf8.count == 100_100)
    }

    @Test func `a descriptor that is closed loses lines and nothing else`() {
        _ = signal(SIGPIPE, SIG_IGN)
        close(reading)
        let writer = LogWriter(to: writing) { "lost \($0)" }
        writer.write("one")
        writer.flush(within: .seconds(20))
    }
}
