import Glibc
import Runtime

/// Where a running bot answers its operator: a Unix socket in the state directory, its user's alone (0600).
///
/// A request is one packet and so is its answer (`SOCK_SEQPACKET`, unix(7)): neither can grow, or stay half said. Who
/// connects and asks nothing is let go after a while, and holds nobody else up until then.
final class ControlSocket: Sendable {
    /// Why there is no socket.
    struct Failure: Error { let words: String }

    typealias Answer = @Sendable (_ request: String) async -> String

    /// Bytes; what is longer is cut.
    static let maxRequestSize = 64
    static let maxAnswerSize = 64 * 1024
    /// Clients that may be thinking of a request at the same time; further ones wait to be let in.
    private static let maxClients = 16
    /// From connecting to the request.
    private static let patience = Duration.seconds(2)

    private let listener: OpenSocket
    private let path: String

    static func path(in directory: String) -> String { directory + "/confab.socket" }

    /// Listens from now on. The caller holds the directory's lock, so a socket found there is what a crash left behind.
    init(in directory: String, answer: @escaping Answer) throws(Failure) {
        path = Self.path(in: directory)
        guard let address = UnixAddress(path) else { throw Failure(words: "\(path): too long for a socket's path") }
        listener = try OpenSocket()
        unsafe unlink(path)
        let isBound = unsafe address.call { pointer, length in unsafe Int(bind(listener.number, pointer, length)) } == 0
        let isPrivate = unsafe isBound && chmod(path, 0o600) == 0
        guard isPrivate, listen(listener.number, 16) == 0 else { throw .system(at: path) }
        Thread.start(name: "control") { [listener] in Self.serve(listener, answer) }
    }

    /// Nobody finds it any more; the thread waits until the process ends.
    func close() { unsafe unlink(path) }

    private static func serve(_ listener: OpenSocket, _ answer: @escaping Answer) {
        var clients: [(socket: OpenSocket, until: Duration)] = []
        while true {
            let now = Time.system.now()
            clients.removeAll { $0.until <= now }
            var entries = clients.map { pollfd(fd: $0.socket.number, events: Int16(POLLIN), revents: 0) }
            if clients.count < maxClients {
                entries.append(pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0))
            }
            let wait = clients.map { ($0.until - now).wholeMilliseconds + 1 }.min() ?? -1
            guard unsafe poll(&entries, nfds_t(entries.count), Int32(wait)) > 0 else { continue }
            for index in clients.indices.reversed() where entries[index].revents != 0 {
                take(clients.remove(at: index).socket, answer)
            }
            guard let last = entries.last, last.fd == listener.number, last.revents != 0 else { continue }
            if let client = listener.accept() { clients.append((client, Time.system.now() + patience)) }
        }
    }

    /// The answer fits into the socket's buffer, so whoever does not read it is not waited for.
    private static func take(_ client: OpenSocket, _ answer: @escaping Answer) {
        guard let request = client.receive(atMost: maxRequestSize) else { return }
        Task {
            let text = await answer(request)
            client.send(Array(text.utf8.prefix(maxAnswerSize)))
        }
    }
}

/// A packet socket, closed when the last one lets go of it.
final class OpenSocket: Sendable {
    let number: Int32

    init() throws(ControlSocket.Failure) {
        number = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw .system(at: "socket") }
    }

    private init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Nil when whoever came is gone, or the process has no descriptor left: then they wait, and are asked for again.
    func accept() -> OpenSocket? {
        let accepted = Glibc.accept(number, nil, nil)
        guard accepted >= 0 else {
            if errno == EMFILE || errno == ENFILE { usleep(100_000) }
            return nil
        }
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        return OpenSocket(owning: accepted)
    }

    /// One packet; nil when the other end is gone, or the wait that `setPatience` allows is over.
    func receive(atMost count: Int) -> String? {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = unsafe recv(number, &bytes, count, 0)
        return length > 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
    }

    /// Connecting and receiving take no longer than this.
    func setPatience(_ patience: Duration) {
        var wait = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
    }
}

extension ControlSocket.Failure {
    fileprivate static func system(at place: String) -> Self {
        let reason = unsafe String(cString: strerror(errno))
        return Self(words: "\(place): \(reason)")
    }
}
