import Network
import Runtime
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1)))
@NetworkThread
struct BytePipeTests {
    @Test func `bytes go there and come back`() async throws {
        let server = try RawServer { connection in
            while true {
                guard let bytes = connection.read() else { return }
                connection.write(bytes)
            }
        }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        recorder.pipe?.write(Array("written before it is open".utf8))
        #expect(await eventually { await recorder.text == "written before it is open" })
        #expect(recorder.isOpened)
        #expect(recorder.isDrained)
        recorder.pipe?.close()
    }

    @Test func `large transfers in both directions arrive whole and in order`() async throws {
        let total = 2 * 1024 * 1024
        let seen = Mutex<Int?>(nil)
        let server = try RawServer { connection in
            Thread.start(name: "writer") { connection.write(Self.pattern(total)) }
            var received: [UInt8] = []
            while received.count < total {
                guard let bytes = connection.read() else { break }
                received += bytes
            }
            seen.withLock { $0 = received == Self.pattern(total) ? received.count : -1 }
            connection.waitForEnd()
        }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        var rest = Self.pattern(total)[...]
        while !rest.isEmpty {
            #expect(await eventually { await recorder.isDrained })
            recorder.write(Array(rest.prefix(200_000)))
            rest = rest.dropFirst(200_000)
        }
        #expect(await eventually { await recorder.received.count == total })
        #expect(await eventually { seen.withLock { $0 } == total })
        #expect(recorder.received == Self.pattern(total))
        recorder.pipe?.close()
    }

    @Test func `a peer that ends in order is a close without a failure`() async throws {
        let server = try RawServer { connection in connection.write("last words") }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.text == "last words")
        #expect(recorder.closings == [nil])
        recorder.pipe?.write(Array("too late".utf8))
        recorder.pipe?.close()
        #expect(recorder.eventsAfterTheEnd == 0)
    }

    @Test func `a peer that resets is a failure`() async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            connection.resetOnClose()
        }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        recorder.pipe?.write(Array("hello".utf8))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.failure?.kind == .reset)
    }

    @Test func `a port where nobody listens is refused`() async throws {
        let recorder = PipeRecorder()
        recorder.open(.loopback(try freePort()))
        #expect(recorder.closings.isEmpty)
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.failure?.kind == .refused)
        #expect(!recorder.isOpened)
    }

    @Test func `a name that cannot exist is told as such`() async throws {
        let recorder = PipeRecorder()
        recorder.open(PipeEndpoint(host: "no-such-host.invalid", port: 6667, tls: nil, connectTimeout: .seconds(20)))
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.failure?.kind == .nameUnknown)
    }

    @Test func `a peer that does not read costs the connection when too much waits`() async throws {
        let gate = Gate()
        let server = try RawServer { connection in withExtendedLifetime(connection) { gate.wait() } }
        defer { gate.open() }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        #expect(await eventually { await recorder.isOpened })
        let block = [UInt8](repeating: 7, count: 64 * 1024)
        let isOver = await eventually {
            await recorder.write(block)
            return await recorder.isClosed
        }
        #expect(isOver)
        #expect(recorder.failure?.kind == .overflow)
        #expect(recorder.closings.count == 1)
    }

    @Test func `a paused pipe delivers nothing and loses nothing`() async throws {
        let server = try RawServer { connection in
            connection.write("one ")
            _ = connection.read()
            connection.write("two")
            connection.finish()
            connection.waitForEnd()
        }
        let recorder = PipeRecorder()
        recorder.open(.loopback(server.port))
        #expect(await eventually { await recorder.text == "one " })
        recorder.pipe?.pause()
        recorder.pipe?.write(Array("go on".utf8))
        #expect(await eventually { await recorder.isDrained })
        for _ in 0..<200 { await Task.yield() }
        #expect(recorder.text == "one ")
        recorder.pipe?.resume()
        #expect(await eventually { await recorder.isClosed })
        #expect(recorder.text == "one two")
    }

    @Test func `closing from inside an event is the end of the events`() async throws {
        let server = try RawServer { connection in
            connection.write([UInt8](repeating: 1, count: 500_000))
            connection.waitForEnd()
        }
        let recorder = PipeRecorder()
        recorder.onEvent = { event, pipe in
            if case .received = event { pipe.close() }
        }
        recorder.open(.loopback(server.port))
        #expect(await eventually { await !recorder.received.isEmpty })
        let count = recorder.received.count
        for _ in 0..<200 { await Task.yield() }
        #expect(recorder.received.count == count)
        #expect(recorder.closings.isEmpty)
    }

    private nonisolated static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }
}
