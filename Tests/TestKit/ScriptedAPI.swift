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
        var begun: [(request: APIRequest, readableAt: Duration, writtenAt: Duration)] = []
        var isClosed = false
        var hasEnded = false
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
            self?.shared.withLock { $0.hasEnded = true }
        }
    }

    deinit { close() }

    /// Everything asked so far, in order of arrival.
    public var requests: [APIRequest] { shared.withLock { $0.requests } }

    /// When the first bytes of the answers to these questions went out, by the monotonic clock.
    public var begun: [String: Duration] {
        let begun = shared.withLock { $0.begun }
        return Dictionary(begun.map { ($0.request.question, $0.writtenAt) }) { $1 }
    }

    /// What the API itself took for each request, from what could be read of it to the answer's first bytes.
    public var ownTimes: [Duration] { shared.withLock { $0.begun.map { $0.writtenAt - $0.readableAt } } }

    /// From now on, this is the answer.
    public func answer(after latency: Duration = .zero, _ reply: @escaping @Sendable (APIRequest) -> APIReply) {
        shared.withLock { shared in
            shared.latency = latency
            shared.reply = reply
        }
    }

    /// Whether nobody answers there any more.
    public var hasEnded: Bool { shared.withLock { $0.hasEnded } }

    /// Ends every connection and the listener, a moment later.
    public func close() { shared.withLock { $0.isClosed = true } }

    fileprivate func begins(_ request: APIRequest, readableAt: Duration) {
        let now = Time.system.now()
        shared.withLock { $0.begun.append((request, readableAt, now)) }
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
        var pending: (parts: ArraySlice<(bytes: [UInt8], after: Duration)>, closes: Bool, due: Duration)?
        /// The one whose answer has not begun.
        var unanswered: (request: APIRequest, readableAt: Duration)?
    }

    private let listener: Int32
    /// The listener, then the connections; only changed when one comes or goes.
    private var watched: [pollfd] = []
    private var connections: [Int32: Connection] = [:]
    /// Who has a reply pending.
    private var waiting: Set<Int32> = []
    private var nextDue: Duration?

    init(listener: Int32) {
        self.listener = listener
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        watch(listener)
    }

    /// Waits for input or the next reply that falls due, at most 20 ms, so that `close` is seen.
    mutating func turn(asking api: ScriptedAPI) {
        let rest = nextDue.map { $0 - Time.system.now() + .nanoseconds(999_999) } ?? .milliseconds(20)
        let wait = Int32(max(0, min(20, rest.wholeMilliseconds)))
        _ = unsafe poll(&watched, nfds_t(watched.count), wait)
        for entry in watched where entry.revents != 0 && entry.fd != listener { read(entry.fd, asking: api) }
        if watched[0].revents != 0 { acceptAll() }
        if let nextDue, nextDue <= Time.system.now() { writeDue(of: api) }
    }

    func end() {
        close(listener)
        for descriptor in connections.keys { close(descriptor) }
    }

    private mutating func watch(_ descriptor: Int32) {
        watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }

    /// All that came, since looking at a thousand connections for each would be most of what a load test measures.
    private mutating func acceptAll() {
        while let descriptor = Socket.accept(listener) {
            connections[descriptor] = Connection()
            watch(descriptor)
        }
    }

    private mutating func drop(_ descriptor: Int32) {
        connections[descriptor] = nil
        waiting.remove(descriptor)
        watched.removeAll { $0.fd == descriptor }
    }

    private mutating func read(_ descriptor: Int32, asking api: ScriptedAPI) {
        let now = Time.system.now()
        guard let bytes = Socket.read(descriptor), var connection = connections[descriptor] else {
            close(descriptor)
            return drop(descriptor)
        }
        connection.input += bytes
        while let request = Self.takeRequest(from: &connection.input) {
            let (reply, latency) = api.receive(request)
            if case .reset = reply {
                Socket.reset(descriptor)
                return drop(descriptor)
            }
            let (parts, closes) = reply.parts(for: request)
            guard !parts.isEmpty else { continue }
            connection.pending = (parts[...], closes, now + latency)
            connection.unanswered = (request, now)
            waiting.insert(descriptor)
            nextDue = min(nextDue ?? now + latency, now + latency)
        }
        connections[descriptor] = connection
    }

    private mutating func writeDue(of api: ScriptedAPI) {
        let now = Time.system.now()
        nextDue = nil
        for descriptor in waiting {
            guard let pending = connections[descriptor]?.pending else { continue }
            guard pending.due <= now else {
                nextDue = min(nextDue ?? pending.due, pending.due)
                continue
            }
            if let (request, readableAt) = connections[descriptor]?.unanswered {
                api.begins(request, readableAt: readableAt)
                connections[descriptor]?.unanswered = nil
            }
            let isOpen = pending.parts.first.map { Socket.write($0.bytes, to: descriptor) } ?? false
            let rest = pending.parts.dropFirst()
            if isOpen, let next = rest.first {
                let due = max(now, pending.due + next.after)
                connections[descriptor]?.pending = (rest, pending.closes, due)
                nextDue = min(nextDue ?? due, due)
                continue
            }
            waiting.remove(descriptor)
            if isOpen && !pending.closes {
                connections[descriptor]?.pending = nil
            } else {
                close(descriptor)
                drop(descriptor)
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
