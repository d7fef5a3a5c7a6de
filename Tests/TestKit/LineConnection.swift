import Dispatch
public import Runtime
import Synchronization

/// One IRC line as a test reads it.
public struct Line: Sendable, CustomStringConvertible {
    /// The whole line without its end; tags included.
    public let raw: String
    /// The nick of the prefix, or the server's name; empty without a prefix.
    public let source: String
    public let command: String
    public let parameters: [String]
    /// When it was read, by the monotonic clock.
    public let receivedAt: Duration

    public init(_ raw: String, receivedAt: Duration = Time.system.now()) {
        self.raw = raw
        self.receivedAt = receivedAt
        var rest = raw[...]
        if rest.hasPrefix("@") { rest = rest.drop(while: { $0 != " " }).drop(while: { $0 == " " }) }
        var source = ""
        if rest.hasPrefix(":") {
            source = String(rest.dropFirst().prefix(while: { $0 != " " && $0 != "!" }))
            rest = rest.drop(while: { $0 != " " }).drop(while: { $0 == " " })
        }
        var words: [String] = []
        while !rest.isEmpty {
            if rest.hasPrefix(":"), !words.isEmpty {
                words.append(String(rest.dropFirst()))
                break
            }
            words.append(String(rest.prefix(while: { $0 != " " })))
            rest = rest.drop(while: { $0 != " " }).drop(while: { $0 == " " })
        }
        self.source = source
        command = words.first ?? ""
        parameters = Array(words.dropFirst())
    }

    public var description: String { raw }

    /// Values as they stand in the line; empty where a tag has none.
    public var tags: [String: String] {
        guard raw.hasPrefix("@") else { return [:] }
        let pairs = raw.dropFirst().prefix { $0 != " " }.split(separator: ";").map { tag in
            let parts = tag.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
        return Dictionary(pairs) { $1 }
    }

    /// The line without its tags.
    public var untagged: Substring {
        raw.hasPrefix("@") ? raw.drop { $0 != " " }.drop { $0 == " " } : raw[...]
    }

    /// The last parameter; what was said, in a PRIVMSG or NOTICE.
    public var text: String { parameters.last ?? "" }
    public var target: String { parameters.first ?? "" }
}

/// A TCP connection of lines with a memory: what came is kept, and a test waits for what it expects.
public final class LineConnection: Sendable {
    private struct State {
        var lines: [Line] = []
        var cursor = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let descriptor: OwnedDescriptor
    private let onLine: @Sendable (Line, LineConnection) -> Void
    /// Signalled for each line.
    private let arrival = DispatchSemaphore(value: 0)

    init(descriptor: Int32, onLine: @escaping @Sendable (Line, LineConnection) -> Void = { _, _ in }) {
        let descriptor = OwnedDescriptor(descriptor)
        self.descriptor = descriptor
        self.onLine = onLine
        Thread.start(name: "lines") { [weak self] in Self.readLines(from: descriptor) { self } }
    }

    deinit { descriptor.shutDown() }

    /// Everything received so far.
    public var lines: [Line] { state.withLock { $0.lines } }
    public var isClosed: Bool { state.withLock { $0.isClosed } }
    /// How many those are.
    public var count: Int { state.withLock { $0.lines.count } }

    public func send(_ line: String) { send(bytes: Array((line + "\r\n").utf8)) }

    /// Bytes as they are, for what no well-behaved peer sends.
    public func send(bytes: [UInt8]) { Socket.write(bytes, to: descriptor.number) }

    /// Returns when the peer's kernel has what was sent: loopback hands it over a moment after `send` has returned.
    public func awaitDelivery() async -> Bool {
        await eventually { [descriptor] in Socket.unacknowledged(descriptor.number) == 0 }
    }

    public func close() { descriptor.shutDown() }

    /// The next line, after the last one a call returned, for which this holds.
    public func expect(
        _ what: String, within limit: Duration = .seconds(20), _ isMeant: @Sendable (Line) -> Bool
    ) async throws -> Line {
        let deadline = Time.system.now() + limit
        while true {
            if let found = next(where: isMeant) { return found }
            guard Time.system.now() < deadline, !isClosed else {
                let tail = lines.suffix(12).map(\.raw).joined(separator: "\n  ")
                let ended = isClosed ? ", connection closed" : ""
                throw SocketFailure(message: "expected \(what)\(ended); last lines:\n  \(tail)")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Blocks the thread until more than so many lines have come, and returns the next one: for a load test, whose looks
    /// would take the processor from what it measures.
    public func line(after count: Int, within limit: Duration = .seconds(20)) throws -> Line {
        let deadline = Time.system.now() + limit
        while true {
            if let line = state.withLock({ $0.lines.dropFirst(count).first }) { return line }
            let rest = deadline - Time.system.now()
            let end = DispatchTime.now() + .milliseconds(Int(rest.wholeMilliseconds) + 1)
            guard rest > .zero, arrival.wait(timeout: end) == .success else {
                throw SocketFailure(message: "no line came after the \(count) there are")
            }
        }
    }

    /// Counts only what comes from now on as expected.
    public func skipToEnd() { state.withLock { $0.cursor = $0.lines.count } }

    fileprivate func next(where isMeant: @Sendable (Line) -> Bool) -> Line? {
        state.withLock { state in
            guard let index = state.lines[state.cursor...].firstIndex(where: isMeant) else { return nil }
            state.cursor = index + 1
            return state.lines[index]
        }
    }

    private func append(_ line: Line) {
        state.withLock { $0.lines.append(line) }
        arrival.signal()
        onLine(line, self)
    }

    /// The thread holds the connection only while it hands a line over, so that dropping the last reference ends both.
    private static func readLines(from descriptor: OwnedDescriptor, to connection: () -> LineConnection?) {
        var pending: [UInt8] = []
        while let bytes = Socket.read(descriptor.number) {
            let now = Time.system.now()
            pending += bytes
            var rest = pending[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                var line = rest[..<end]
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                rest = rest[(end + 1)...]
                connection()?.append(Line(String(decoding: line, as: UTF8.self), receivedAt: now))
            }
            pending = Array(rest)
        }
        connection()?.state.withLock { $0.isClosed = true }
        descriptor.shutDown()
    }
}
