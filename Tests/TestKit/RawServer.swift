import Glibc
import Runtime

/// A port of loopback whose connections a test plays byte by byte, each on a thread of its own.
public final class RawServer: Sendable {
    public let port: Int
    private let listener: Int32

    public enum Family: Sendable { case ipv4, ipv6 }

    /// Port 0 takes a free one.
    public init(
        port: Int = 0, _ family: Family = .ipv4, _ serve: @escaping @Sendable (RawConnection) -> Void
    ) throws {
        (listener, self.port) = try Socket.listen(port: port, family)
        Thread.start(name: "raw server") { [listener] in
            while let accepted = Socket.accept(listener) {
                Thread.start(name: "raw connection") { serve(RawConnection(accepted)) }
            }
            close(listener)
        }
    }

    deinit { Socket.shutDown(listener) }
}

/// A port of loopback that answers no attempt to connect, as a machine behind a broken router: its queue is full.
public final class DeadPort: Sendable {
    private let descriptors: [OwnedDescriptor]

    public init(_ port: Int, _ family: RawServer.Family) throws {
        let (listener, _) = try Socket.listen(port: port, family, backlog: 0)
        let waiting = try (0..<4).map { _ in try Socket.beginConnecting(port: port, family) }
        descriptors = ([listener] + waiting).map { OwnedDescriptor($0) }
    }
}

/// The accepted end of a connection; calls block, and it closes with its last reference.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Nil at the end.
    public func read() -> [UInt8]? { Socket.read(descriptor) }

    /// A request's head and the body its length announces, or what came of them.
    public func readRequest() -> String {
        var request: [UInt8] = []
        while let bytes = read() {
            request += bytes
            guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: request[..<end.lowerBound], as: UTF8.self).lowercased()
            let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.drop { !$0.isNumber }) }
            if request.count - end.upperBound >= length ?? 0 { break }
        }
        return String(decoding: request, as: UTF8.self)
    }

    /// False when the peer is gone.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool { Socket.write(bytes, to: descriptor) }

    @discardableResult
    public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Ends this direction; the other can still be read.
    public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The coming close is a reset instead of an end.
    public func resetOnClose() { Socket.resetOnClose(descriptor) }

    public func waitForEnd() { while read() != nil {} }
}
