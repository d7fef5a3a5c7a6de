import CCurl
import Glibc

/// A byte stream to one peer, over TLS or in clear text: what carries IRC.
///
/// curl connects, resolves, verifies and encrypts (`CURLOPT_CONNECT_ONLY`); the loop moves the bytes. Events come in
/// order, `closed` is the last, and after `close()` there are none. The loop keeps a pipe until it is closed.
@NetworkThread
@safe
public final class BytePipe {
    private enum State { case connecting, open(curl_socket_t), closed }

    /// The most that may wait to be sent; whoever writes more to a peer that does not read loses the connection.
    public static let capacity = 256 * 1024
    /// Received or sent per turn, so that one busy peer does not keep the others waiting.
    private static let bytesPerTurn = 64 * 1024
    private static let chunkSize = 16 * 1024
    private static let inbox = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)

    private let pins: [CertificatePin]
    private var handle: EasyHandle?
    private var onEvent: (@NetworkThread (PipeEvent) -> Void)?
    private var state = State.connecting
    private var failure: PipeFailure?
    private var isPaused = false
    /// Reading has not come to `CURLE_AGAIN`: TLS may hold bytes that no poll reports.
    private var mayHaveInput = false
    /// The system takes no more at the moment.
    private var isBlocked = false
    private var outbox: [UInt8] = []
    private var outboxStart = 0
    /// After `CURLE_AGAIN` curl wants the same bytes at the same address again, so sending is from here.
    private let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: chunkSize)
    private var chunkSent = 0
    private var chunkEnd = 0

    /// A socket and what the loop waits for on it.
    struct Interest: Equatable {
        let socket: Int32
        let readiness: Epoll.Readiness
    }

    /// The loop serves the pipe in its next turn.
    var wantsTurn = false
    /// What the loop watches at present.
    var watched: Interest?

    /// Starts connecting; nothing blocks, and even a failure at once is told later.
    public init(to endpoint: PipeEndpoint, onEvent: @escaping @NetworkThread (PipeEvent) -> Void) {
        self.onEvent = onEvent
        pins = endpoint.tls?.pins ?? []
        let handle = EasyHandle()
        self.handle = handle
        Self.configure(handle, for: endpoint)
        let isAdded = NetworkLoop.shared.add(handle) { [self] result in connected(result) }
        if !isAdded { fail(PipeFailure(.other, "curl takes no further connection")) }
    }

    isolated deinit { unsafe chunk.deallocate() }

    /// What `write` was given and the system has not taken yet.
    public var unsentBytes: Int { outbox.count - outboxStart + chunkEnd - chunkSent }

    /// Sends in order, as soon as the peer takes it; also before `opened`. Ignored after the end.
    public func write(_ bytes: [UInt8]) {
        guard !isClosed, failure == nil, !bytes.isEmpty else { return }
        guard unsentBytes + bytes.count <= Self.capacity else {
            return fail(PipeFailure(.overflow, "the peer takes no more, and \(unsentBytes) bytes wait already"))
        }
        outbox += bytes
        wantsTurn = true
    }

    /// Stops delivering what the peer sends; the system's buffers fill up and slow it down.
    public func pause() { isPaused = true }

    public func resume() {
        guard isPaused else { return }
        isPaused = false
        mayHaveInput = true
        wantsTurn = true
    }

    /// Ends it without an event; what was not sent is lost.
    public func close() {
        state = .closed
        onEvent = nil
        NetworkLoop.shared.forget(self)
        if let handle { NetworkLoop.shared.remove(handle) }
        handle = nil
    }

    private var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    private static func configure(_ handle: EasyHandle, for endpoint: PipeEndpoint) {
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        handle.set(CURLOPT_URL, "\(endpoint.tls == nil ? "http" : "https")://\(host):\(endpoint.port)/")
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_FRESH_CONNECT, 1)
        // curl would offer HTTP, and a strict server refuses to speak it.
        handle.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        handle.setConnectTimeout(endpoint.connectTimeout)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.setProxy(endpoint.proxy, isolation: endpoint.proxyIsolation)
        guard let tls = endpoint.tls else { return }
        handle.set(CURLOPT_SSL_VERIFYPEER, tls.isVerified ? 1 : 0)
        handle.set(CURLOPT_SSL_VERIFYHOST, tls.isVerified ? 2 : 0)
        handle.set(CURLOPT_CERTINFO, tls.pins.isEmpty ? 0 : 1)
        if let file = tls.caFile { handle.setAuthorities(file) }
        if let file = tls.clientCertificate { handle.set(CURLOPT_SSLCERT, file) }
        if let file = tls.clientKey { handle.set(CURLOPT_SSLKEY, file) }
    }

    private func connected(_ result: CURLcode) {
        guard case .connecting = state, let handle else { return }
        guard result == CURLE_OK else {
            let detail = handle.explain(result)
            return end(
                handle.isTunnelRefused ? PipeFailure(.proxy, detail) : PipeFailure(connecting: result, detail))
        }
        if let mismatch = pinMismatch(of: handle) { return end(mismatch) }
        var socket = CURL_SOCKET_BAD
        guard unsafe ccurl_get_socket(handle.pointer, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD else {
            return end(PipeFailure(.other, "the connection was lost as soon as it stood"))
        }
        state = .open(socket)
        mayHaveInput = true
        wantsTurn = true
        NetworkLoop.shared.watch(self)
        onEvent?(.opened)
    }

    private func pinMismatch(of handle: EasyHandle) -> PipeFailure? {
        guard !pins.isEmpty else { return nil }
        guard let seen = handle.serverCertificate?.pins else {
            return PipeFailure(.pinMismatch, "the server's certificate could not be read")
        }
        guard !pins.contains(where: seen.contains) else { return nil }
        let words = seen.map(\.description).joined(separator: " and ")
        return PipeFailure(.pinMismatch, "the server's certificate has SHA-256 \(words)")
    }

    /// The failure is told in the loop's next turn: never from inside a call of the owner.
    private func fail(_ failure: PipeFailure) {
        self.failure = failure
        wantsTurn = true
        NetworkLoop.shared.watch(self)
    }

    private func end(_ failure: PipeFailure?) {
        let tell = onEvent
        close()
        tell?(.closed(failure))
    }
}

// The loop's side.
extension BytePipe {
    /// What the loop is to wait for on the pipe's behalf; nil before there is a socket.
    var interest: Interest? {
        guard case .open(let socket) = state else { return nil }
        return Interest(socket: socket, readiness: [isPaused ? [] : .input, isBlocked ? .output : []])
    }

    /// The socket is ready for something, or broken: reading and sending are tried, whatever it is.
    func becameReady() {
        mayHaveInput = true
        isBlocked = false
        wantsTurn = true
    }

    /// Reads first, so that the answers to what came leave in the same turn.
    func serve() {
        wantsTurn = false
        if let failure { return end(failure) }
        if mayHaveInput && !isPaused { read() }
        if unsentBytes > 0 && !isBlocked { send() }
    }

    private func read() {
        var count = 0
        while count < Self.bytesPerTurn, !isPaused, let handle {
            var length = 0
            let result = unsafe curl_easy_recv(
                handle.pointer, Self.inbox.baseAddress, Self.inbox.count, &length)
            if result == CURLE_AGAIN {
                mayHaveInput = false
                return
            }
            guard result == CURLE_OK else { return end(PipeFailure(.reset, handle.explain(result))) }
            guard length > 0 else { return end(nil) }
            count += length
            unsafe onEvent?(.received(Array(Self.inbox[..<length])))
        }
        wantsTurn = wantsTurn || !isPaused
    }

    private func send() {
        var count = 0
        while let handle, unsentBytes > 0, !isBlocked {
            guard count < Self.bytesPerTurn else {
                wantsTurn = true
                return
            }
            fillChunk()
            var length = 0
            let result = unsafe curl_easy_send(handle.pointer, chunk + chunkSent, chunkEnd - chunkSent, &length)
            switch result {
            case CURLE_OK:
                chunkSent += length
                count += length
            case CURLE_AGAIN: isBlocked = true
            default: return end(PipeFailure(.reset, handle.explain(result)))
            }
        }
    }

    private func fillChunk() {
        guard chunkSent == chunkEnd else { return }
        let length = min(Self.chunkSize, outbox.count - outboxStart)
        unsafe outbox.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe chunk.update(from: start + outboxStart, count: length)
        }
        chunkSent = 0
        chunkEnd = length
        outboxStart += length
        if outboxStart == outbox.count {
            outbox.removeAll(keepingCapacity: true)
            outboxStart = 0
        }
    }
}

extension PipeFailure {
    /// curl's results before the connection stands (<https://curl.se/libcurl/c/libcurl-errors.html>).
    init(connecting result: CURLcode, _ detail: String) {
        switch result {
        case CURLE_COULDNT_CONNECT: self.init(.refused, detail)
        case CURLE_PROXY: self.init(.proxy, detail)
        case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, detail)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self.init(.nameUnknown, detail)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            self.init(.certificate, detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND: self.init(.tls, detail)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: self.init(.reset, detail)
        default: self.init(.other, detail)
        }
    }
}
