import FoundationEssentials
import Runtime
import Synchronization

/// A proxy of one connection a client, SOCKS5 (RFC 1928, RFC 1929) or HTTP CONNECT; wherever it is asked to connect, it leads
/// to one port of loopback.
public final class ScriptedProxy: Sendable {
    public enum Form: Sendable { case socks, http }

    public enum Behaviour: Sendable {
        case connects
        /// Knows no way to the server.
        case refuses
        /// Wants other credentials.
        case rejectsLogin
        /// Accepts and never answers.
        case silent
    }

    /// What it was asked.
    public struct Request: Sendable, Equatable {
        /// A name where a name was sent.
        public let host: String
        public let port: Int
        /// `user:password`, where credentials were sent.
        public let credentials: String?

        public init(host: String, port: Int, credentials: String?) {
            self.host = host
            self.port = port
            self.credentials = credentials
        }
    }

    public var port: Int { server.port }
    private let server: RawServer
    private let asked: Asked

    public init(_ form: Form, to target: Int, _ behaviour: Behaviour = .connects) throws {
        let asked = Asked()
        self.asked = asked
        server = try RawServer { connection in
            let client = ProxyClient(connection, behaviour, asked)
            guard form == .socks ? client.serveSOCKS() : client.serveHTTP() else { return }
            client.forward(to: target)
        }
    }

    public var requests: [Request] { asked.requests }
}

private final class Asked: Sendable {
    private let kept = Mutex<[ScriptedProxy.Request]>([])

    var requests: [ScriptedProxy.Request] { kept.withLock { $0 } }

    func append(_ request: ScriptedProxy.Request) { kept.withLock { $0.append(request) } }
}

/// One client of the proxy; its calls block. They return whether the way is open.
private final class ProxyClient {
    private let connection: RawConnection
    private let behaviour: ScriptedProxy.Behaviour
    private let asked: Asked
    private var pending: [UInt8] = []

    init(_ connection: RawConnection, _ behaviour: ScriptedProxy.Behaviour, _ asked: Asked) {
        self.connection = connection
        self.behaviour = behaviour
        self.asked = asked
    }

    func serveSOCKS() -> Bool {
        guard let greeting = take(2), let methods = take(Int(greeting[1])) else { return false }
        if behaviour == .silent {
            connection.waitForEnd()
            return false
        }
        var credentials: String?
        if methods.contains(2) {
            // As Tor does: a client that has a name shall tell it.
            connection.write([5, 2])
            guard let head = take(2), let user = take(Int(head[1])), let length = take(1),
                let password = take(Int(length[0]))
            else { return false }
            credentials = String(decoding: user + Array(":".utf8) + password, as: UTF8.self)
            connection.write([1, behaviour == .rejectsLogin ? 1 : 0])
            if behaviour == .rejectsLogin { return false }
        } else {
            connection.write([5, behaviour == .rejectsLogin ? 0xFF : 0])
            if behaviour == .rejectsLogin { return false }
        }
        guard let head = take(4), let host = socksHost(head[3]), let port = take(2) else { return false }
        asked.append(.init(host: host, port: Int(port[0]) << 8 | Int(port[1]), credentials: credentials))
        // 4: host unreachable.
        connection.write([5, behaviour == .refuses ? 4 : 0, 0, 1, 0, 0, 0, 0, 0, 0])
        return behaviour != .refuses
    }

    private func socksHost(_ kind: UInt8) -> String? {
        switch kind {
        case 1: take(4).map { $0.map(String.init).joined(separator: ".") }
        case 3: take(1).flatMap { take(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
        case 4: take(16).map { "\($0)" }
        default: nil
        }
    }

    func serveHTTP() -> Bool {
        let lines = connection.readRequest().split(separator: "\r\n")
        if behaviour == .silent {
            connection.waitForEnd()
            return false
        }
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3, words[0] == "CONNECT", let colon = words[1].lastIndex(of: ":"),
            let port = Int(words[1][words[1].index(after: colon)...])
        else { return false }
        let basic = "proxy-authorization: basic "
        let login = lines.first { $0.lowercased().hasPrefix(basic) }?.dropFirst(basic.count)
        let credentials = login.flatMap { Data(base64Encoded: String($0)) }.map { String(decoding: $0, as: UTF8.self) }
        asked.append(.init(host: String(words[1][..<colon]), port: port, credentials: credentials))
        switch behaviour {
        case .rejectsLogin: connection.write("HTTP/1.1 407 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        case .refuses: connection.write("HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        default: connection.write("HTTP/1.1 200 Connected\r\n\r\n")
        }
        return behaviour == .connects
    }

    func forward(to port: Int) {
        guard let descriptor = try? Socket.connect(port: port) else { return }
        let server = RawConnection(descriptor)
        server.write(pending)
        let client = connection
        Thread.start(name: "proxy") {
            while let bytes = server.read() { client.write(bytes) }
            client.finish()
        }
        while let bytes = client.read() { server.write(bytes) }
        server.finish()
    }

    private func take(_ count: Int) -> [UInt8]? {
        while pending.count < count {
            guard let bytes = connection.read() else { return nil }
            pending += bytes
        }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}
