import Glibc
import Runtime

/// What questions cost without a bot: the least that any program could need here, for a load test to compare with.
extension ScriptedAPI {
    /// So many small questions at the same moment, each on a connection of its own, by one thread over `poll`; the time until
    /// the last answer is there.
    public func roundTrips(_ count: Int) throws -> Duration {
        let start = Time.system.now()
        var waiting: [pollfd] = []
        defer { for entry in waiting { Glibc.close(entry.fd) } }
        for number in 0..<count {
            let descriptor = try Socket.connect(port: port)
            waiting.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            Socket.write(Self.question(number), to: descriptor)
        }
        while !waiting.isEmpty {
            let readyCount = unsafe poll(&waiting, nfds_t(waiting.count), 20_000)
            guard readyCount > 0 else { throw SocketFailure(message: "\(waiting.count) answers did not come") }
            let ready = waiting.filter { $0.revents != 0 }
            let over = try ready.filter { try Self.readsEnd($0.fd) }.map(\.fd)
            for descriptor in over { Glibc.close(descriptor) }
            let gone = Set(over)
            waiting.removeAll { gone.contains($0.fd) }
        }
        return Time.system.now() - start
    }

    private static func question(_ number: Int) -> [UInt8] {
        let body = #"{"messages":[{"role":"user","content":"bare \#(number)"}],"stream":true}"#
        let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    /// A connection that stays, for one request after the other.
    public func bareConnection() throws -> BareConnection { BareConnection(descriptor: try Socket.connect(port: port)) }

    /// The scripted answers are small and written in one piece.
    fileprivate static func readsEnd(_ descriptor: Int32) throws -> Bool {
        guard let bytes = Socket.read(descriptor) else { throw SocketFailure(message: "the API hung up") }
        return bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8)
    }
}

/// See `ScriptedAPI.bareConnection`.
public struct BareConnection: Sendable {
    fileprivate let descriptor: Int32

    /// Asks with this body, and reads the streamed answer to its end.
    public func roundTrip(_ body: [UInt8]) throws -> Duration {
        let start = Time.system.now()
        let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
        Socket.write(Array(head.utf8) + body, to: descriptor)
        while try !ScriptedAPI.readsEnd(descriptor) {}
        return Time.system.now() - start
    }

    public func close() { Glibc.close(descriptor) }
}
