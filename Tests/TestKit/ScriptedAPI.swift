import Glibc
import Runtime
import Synchronization

/// A completions API on loopback whose every answer the test decides: late, broken, refused or right.
///
/// One thread over `poll`, so that a thousand requests in flight cost no thread each.
public final class ScriptedAPI: Sendable {
    public let port: Int
    /// Ends in no slash: what `base_url` takes.
    public var baseURL: String { "http://127.0.0.1:\(port)" }

    private let shared = Mutex(Shared())

    private struct Shared {
        var requests: [APIRequest] = []
        var isClosed = false
        var latency: Duration
        var reply: @Sendable (APIRequest) -> APIReply

        init() {
            latency = .zero
            reply = { .text("You said: \($0.question)") }
        }
    }

    /// `latency` passes between a request and the first byte of its reply.
    public init(port: Int = 0, latency: Duration = .zero, reply: (@Sendable (APIRequest) -> APIReply)? = nil) throws {
        let (listener, port) = try Socket.listen(port: port)
        self.port = port
        shared.withLock { shared in
            shared.latency = latency
            if let reply { shared.reply = reply }
        }
        Thread.start(name: "api") { [weak self] in
            var server = Server(listener: listener)
            while let self, !self.shared.withLock({ $0.isClosed }) { server.turn(asking: self) }
            server.end()
        }
    }

    deinit { close() }

    /// Everything asked so far, in order of arrival.
    public var requests: [APIRequest] { shared.withLock { $0.requests } }

    /// From now on, this is the answer.
    public func answer(after latency: Duration = .zero, _ reply: @escaping @Sendable (APIRequest) -> APIReply) {
        shared.withLock { shared in
            shared.latency = latency
            shared.reply = reply
        }
    }

    /// Ends every connection and the listener.
    public func close() { shared.withLock { $0.isClosed = true } }

    /// What one small question costs without a bot: connect, ask, read the answer to its end.
    public func roundTrip() throws -> Duration {
        let body = #"{"messages":[{"role":"user","content":"hi"}],"stream":false}"#
        let start = Time.system.now()
        let descriptor = try Socket.connect(port: port)
        defer { Glibc.close(descriptor) }
        let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        Socket.write(Array((head + body).utf8), to: descriptor)
        guard Socket.read(descriptor) != nil else { throw SocketFailure(message: "the API did not answer") }
        return Time.system.now() - start
    }

    fileprivate func receive(_ request: APIRequest) -> (reply: APIReply, latency: Duration) {
        let (reply, latency) = shared.withLock { shared in
            shared.requests.append(request)
            return (shared.reply, shared.latency)
        }
        return (reply(request), latency)
    }
}

private struct Server {
    private struct Connection {
        var input: [UInt8] = []
        var pending: (bytes: [UInt8], closes: Bool, due: Duration)?
    }

    private let listener: Int32
    private var connections: [Int32: Connection] = [:]

    init(listener: Int32) { self.listener = listener }

    /// Waits for input or the next reply that falls due, at most 20 ms, so that `close` is seen.
    mutating func turn(asking api: ScriptedAPI) {
        var watched = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        watched += connections.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let now = Time.system.now()
        let next = connections.values.compactMap(\.pending?.due).min() ?? now + .milliseconds(20)
        let wait = max(0, min(20, (next - now).wholeMilliseconds))
        _ = unsafe poll(&watched, nfds_t(watched.count), Int32(wait))
        for entry in watched where entry.revents != 0 {
            if entry.fd == listener {
                if let descriptor = Socket.accept(listener) { connections[descriptor] = Connection() }
            } else {
                read(entry.fd, asking: api)
            }
        }
        writeDue()
    }

    func end() {
        close(listener)
        for descriptor in connections.keys { close(descriptor) }
    }

    private mutating func read(_ descriptor: Int32, asking api: ScriptedAPI) {
        guard let bytes = Socket.read(descriptor), var connection = connections[descriptor] else {
            close(descriptor)
            connections[descriptor] = nil
            return
        }
        connection.input += bytes
        while let request = Self.takeRequest(from: &connection.input) {
            let (reply, latency) = api.receive(request)
            if case .reset = reply {
                Socket.reset(descriptor)
                connections[descriptor] = nil
                return
            }
            let (bytes, closes) = reply.bytes(for: request)
            if !bytes.isEmpty { connection.pending = (bytes, closes, Time.system.now() + latency) }
        }
        connections[descriptor] = connection
    }

    private mutating func writeDue() {
        let now = Time.system.now()
        for (descriptor, connection) in connections {
            guard let pending = connection.pending, pending.due <= now else { continue }
            let isOpen = Socket.write(pending.bytes, to: descriptor)
            if isOpen && !pending.closes {
                connections[descriptor]?.pending = nil
            } else {
                close(descriptor)
                connections[descriptor] = nil
            }
        }
    }

    private static func takeRequest(from input: inout [UInt8]) -> APIRequest? {
        guard let end = input.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: input[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in head.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            headers[halves[0].lowercased()] = String(halves[1].drop(while: { $0 == " " }))
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard input.count >= end.upperBound + length else { return nil }
        let body = Array(input[end.upperBound..<(end.upperBound + length)])
        input.removeFirst(end.upperBound + length)
        let path = head.first?.split(separator: " ").dropFirst().first ?? ""
        return APIRequest(path: String(path), headers: headers, body: body)
    }
}
