import Domain
import Glibc
import Runtime
import Synchronization
import TestKit
import Testing

@testable import Network

@Suite(.timeLimit(.minutes(1)))
struct HTTPTests {
    @Test func `a request arrives as it was meant, and the response comes back`() async throws {
        let seen = Mutex("")
        let server = try RawServer { connection in
            let request = connection.readRequest()
            seen.withLock { $0 = request }
            connection.write(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 5\r\n\r\nhello"
            )
            connection.waitForEnd()
        }
        var request = HTTPRequest.loopback(server.port, path: "/v1/x")
        request.method = .post
        request.headers = [("Content-Type", "application/json"), ("User-Agent", "test/1")]
        request.bearer = Secret("sk-1\r\nX-Evil: 1")
        request.body = Array("{}".utf8)
        let response = await Response(of: request)
        #expect(response.status == 200)
        #expect(response.headers["x-two"] == "a, b")
        #expect(response.text == "hello")
        #expect(response.end == .finished)
        let text = seen.withLock { $0 }
        #expect(text.hasPrefix("POST /v1/x HTTP/1.1\r\n"))
        #expect(text.contains("\r\nAuthorization: Bearer sk-1X-Evil: 1\r\n"))
        #expect(text.contains("\r\nUser-Agent: test/1\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{}"))
        #expect(!text.contains("Expect") && !text.contains("Accept-Encoding"))
    }

    @Test func `a transfer leaves the low descriptors to those who need them`() async throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(unsafe getrlimit(resource, &limit) == 0 && limit.rlim_max > 1100)
        limit.rlim_cur = limit.rlim_max
        try #require(unsafe setrlimit(resource, &limit) == 0)
        let hasHighSocket = Mutex(false)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            hasHighSocket.withLock { $0 = (1024...1100).contains { fcntl($0, F_GETFD) >= 0 } }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            connection.waitForEnd()
        }
        #expect(await Response(of: .loopback(server.port)).status == 200)
        #expect(hasHighSocket.withLock { $0 })
    }

    @Test func `pieces of a stream come as they are sent`() async throws {
        let gate = Gate()
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            gate.wait()
            connection.write("3\r\ntwo\r\n0\r\n\r\n")
            connection.waitForEnd()
        }
        var pieces: [String] = []
        for await event in await HTTP.prepare(.loopback(server.port)).send().events {
            guard case .body(let bytes) = event else { continue }
            pieces.append(String(decoding: bytes, as: UTF8.self))
            gate.open()
        }
        #expect(pieces == ["one", "two"])
    }

    @Test func `a request that is never sent leaves nothing behind`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let trace = Trace(transfer: await HTTP.prepare(.loopback(server.port)).transfer)
        #expect(await eventually { trace.transfer == nil })
        #expect(await Response(of: .loopback(server.port)).end == .finished)
    }

    @Test(arguments: [
        ("", HTTPFailure.Kind.interrupted),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", .interrupted),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", .interrupted),
        ("SSH-2.0-OpenSSH_9.2\r\n", .other),
    ])
    func `a response that breaks off is a failure`(bytes: String, kind: HTTPFailure.Kind) async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(bytes)
        }
        #expect(await Response(of: .loopback(server.port)).end == .failed(kind))
    }

    @Test func `nobody there, nobody who answers, nobody who finishes`() async throws {
        var refused = HTTPRequest.loopback(try freePort())
        refused.firstByteTimeout = .seconds(20)
        #expect(await Response(of: refused).end == .failed(.unreachable))

        let silent = try RawServer { $0.waitForEnd() }
        var hanging = HTTPRequest.loopback(silent.port)
        hanging.firstByteTimeout = .milliseconds(50)
        #expect(await Response(of: hanging).end == .failed(.timedOut))

        let endless = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\nbegun")
            connection.waitForEnd()
        }
        var long = HTTPRequest.loopback(endless.port)
        long.totalTimeout = .seconds(2)
        let response = await Response(of: long)
        #expect(response.end == .failed(.timedOut))
        #expect(response.text == "begun")
    }

    @Test func `more than the limit ends the transfer`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.write([UInt8](repeating: 65, count: 4_000_000))
        }
        var request = HTTPRequest.loopback(server.port)
        request.bodyLimit = 100_000
        let response = await Response(of: request)
        #expect(response.end == .failed(.oversized))
        #expect(response.text.utf8.count <= 100_000)
    }

    @Test func `a redirect is a response, not an order`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
            connection.waitForEnd()
        }
        let response = await Response(of: .loopback(server.port))
        #expect(response.status == 301)
        #expect(response.end == .finished)
    }

    @Test func `whoever stops listening ends the transfer`() async throws {
        let isGone = Mutex(false)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\nx")
            connection.waitForEnd()
            isGone.withLock { $0 = true }
        }
        let request = HTTPRequest.loopback(server.port)
        let task = Task {
            for await event in await HTTP.prepare(request).send().events { if case .body = event { break } }
        }
        await task.value
        #expect(await eventually { isGone.withLock { $0 } })
    }

    @Test func `cancelling the task that listens ends the transfer`() async throws {
        let requests = Mutex(0)
        let ends = Mutex(0)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            requests.withLock { $0 += 1 }
            connection.waitForEnd()
            ends.withLock { $0 += 1 }
        }
        let request = HTTPRequest.loopback(server.port)
        let task = Task { for await _ in await HTTP.prepare(request).send().events {} }
        #expect(await eventually { requests.withLock { $0 } == 1 })
        task.cancel()
        await task.value
        #expect(await eventually { ends.withLock { $0 } == 1 })
    }

    @Test func `a connection is used again`() async throws {
        let connections = Mutex(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            while !connection.readRequest().isEmpty {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        // Other tests in this process may fill curl's pool with their connections for a while.
        var requests = 0
        let deadline = Time.system.now() + .seconds(20)
        repeat {
            requests += 1
            #expect(await Response(of: .loopback(server.port)).text == "ok")
        } while connections.withLock({ $0 }) == requests && Time.system.now() < deadline
        #expect(connections.withLock { $0 } < requests)
    }
}

/// Tells whether a transfer is still there.
private struct Trace: Sendable {
    weak let transfer: HTTPTransfer?
}
