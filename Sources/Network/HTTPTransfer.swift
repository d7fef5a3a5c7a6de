import CCurl
import Domain
import Glibc
import Synchronization

/// One HTTP exchange on the loop, from the request, which is made ready at once, to the last event.
@NetworkThread
final class HTTPTransfer {
    /// Under one byte a second for this long after the first byte, the server is as good as dead.
    private static let slowest: Duration = .seconds(30)
    private static let headLimit = 64 * 1024
    /// So long a server may take for the formal end of a response that is all there.
    private static let lingering: Duration = .seconds(5)

    private let request: HTTPRequest
    /// Nil for a URL that curl will not call either.
    private let address: WebAddress?
    private let continuation: AsyncStream<HTTPEvent>.Continuation
    /// Nil once it has ended.
    private var handle: EasyHandle?
    private var head = HTTPHead()
    /// What came and was not passed on yet.
    private var isHeadNew = false
    private var body: [UInt8] = []
    private var bodySize = 0
    private var sizeAtLastLook = 0
    private var deadline: LoopTimer?
    private var patience: LoopTimer?
    /// Why curl was told to stop from inside a callback.
    private var verdict: HTTPFailure?
    /// The name for which it is inside the gate.
    private var nameLookedUp: String?

    private nonisolated let mayLinger = Atomic(false)

    init(_ request: HTTPRequest, _ continuation: AsyncStream<HTTPEvent>.Continuation) {
        self.request = request
        address = WebAddress(request.url)
        self.continuation = continuation
        let handle = EasyHandle()
        self.handle = handle
        configure(handle)
    }

    var isEnded: Bool { handle == nil }

    func start() {
        guard !isEnded else { return }
        deadline = .after(request.totalTimeout) { [weak self] in
            self?.fail(HTTPFailure(.timedOut, "no whole answer within \(self?.request.totalTimeout ?? .zero)"))
        }
        patience = .after(request.firstByteTimeout) { [weak self] in
            self?.fail(HTTPFailure(.timedOut, "no answer within \(self?.request.firstByteTimeout ?? .zero)"))
        }
        if let name = address?.nameToLookUp {
            LookUpGate.shared.enter(self, for: name)
        } else {
            launch()
        }
    }

    /// The gate lets it look up its name.
    func lookUp() {
        nameLookedUp = address?.nameToLookUp
        launch()
    }

    /// Hands the request to curl.
    private func launch() {
        guard let handle else { return }
        let isAdded = NetworkLoop.shared.add(handle) { [self] result in done(result) }
        if !isAdded { fail(HTTPFailure(.other, "curl takes no further transfer")) }
    }

    /// Nobody waits for the response any more.
    func cancel() {
        guard mayLinger.load(ordering: .relaxed) else { return end(with: nil) }
        patience?.cancel()
        patience = .after(Self.lingering) { [weak self] in self?.end(with: nil) }
    }

    nonisolated func letEnd() { mayLinger.store(true, ordering: .relaxed) }

    private func configure(_ handle: EasyHandle) {
        handle.set(CURLOPT_URL, request.url)
        handle.setProxy(nil)
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.setConnectTimeout(request.connectTimeout)
        // A thousand transfers have a buffer each; curl's own sizes are made for downloads.
        handle.set(CURLOPT_BUFFERSIZE, 4096)
        handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 16 * 1024)
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        if address?.scheme == "https" { handle.set(CURLOPT_PIPEWAIT, 1) }
        if let file = request.caFile { handle.setAuthorities(file) }
        var lines = request.headers.map { "\($0.name): \($0.value)" }
        if let bearer = request.bearer { lines.append("Authorization: Bearer \(bearer.reveal())") }
        // Without an empty line for it curl asks before it sends a large body, and waits a second for the answer.
        lines.append("Expect:")
        handle.setHeaders(lines.map { line in String(line.unicodeScalars.filter { $0.value >= 0x20 }) })
        if request.method == .post { handle.setBody(request.body) }
        handle.setCallbacks(of: self)
    }

    private func done(_ result: CURLcode) {
        guard let handle else { return }
        if let verdict { return fail(verdict) }
        guard result == CURLE_OK, head.isComplete else {
            let failure = HTTPFailure(result, handle.explain(result))
            if let nameLookedUp { LookUpGate.shared.fail(nameLookedUp, with: failure) }
            return fail(failure)
        }
        end(with: .finished)
    }

    func fail(_ failure: HTTPFailure) { end(with: .failed(failure)) }

    private func end(with event: HTTPEvent?) {
        guard let handle else { return }
        self.handle = nil
        deadline?.cancel()
        patience?.cancel()
        settleLookUp()
        NetworkLoop.shared.remove(handle)
        passOn()
        if let event { continuation.yield(event) }
        continuation.finish()
    }
}

// What curl reports, from inside its own calls: nothing here may call back into curl.
extension HTTPTransfer {
    /// The name is resolved, or was not needed.
    func settleLookUp() {
        guard nameLookedUp != nil else { return }
        nameLookedUp = nil
        LookUpGate.shared.leave()
    }

    /// One line of the head; false ends the transfer.
    func receive(headerLine line: [UInt8]) -> Bool {
        guard head.add(line) <= Self.headLimit else {
            verdict = HTTPFailure(.oversized, "the response's head is larger than \(Self.headLimit) bytes")
            return false
        }
        if head.becameComplete() {
            isHeadNew = true
            NetworkLoop.shared.hears(self)
        }
        return true
    }

    /// Part of the body; false ends the transfer.
    func receive(body bytes: [UInt8]) -> Bool {
        if bodySize == 0 { watchSpeed() }
        bodySize += bytes.count
        guard bodySize <= request.bodyLimit else {
            verdict = HTTPFailure(.oversized, "the response is larger than \(request.bodyLimit) bytes")
            return false
        }
        body += bytes
        NetworkLoop.shared.hears(self)
        return true
    }

    /// Hands on what came in one go as one: whoever waits is woken once, not for each chunk of the encoding.
    func passOn() {
        if isHeadNew { continuation.yield(.head(status: head.status, headers: head.headers)) }
        isHeadNew = false
        if !body.isEmpty { continuation.yield(.body(body)) }
        body = []
    }

    private func watchSpeed() {
        patience?.cancel()
        patience = .after(Self.slowest) { [weak self] in self?.checkSpeed() }
    }

    private func checkSpeed() {
        guard bodySize - sizeAtLastLook >= Int(Self.slowest.components.seconds) else {
            return fail(HTTPFailure(.timedOut, "less than a byte a second for \(Self.slowest)"))
        }
        sizeAtLastLook = bodySize
        watchSpeed()
    }
}

extension HTTPFailure {
    /// curl's results (<https://curl.se/libcurl/c/libcurl-errors.html>).
    init(_ result: CURLcode, _ detail: String) {
        switch result {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.unreachable, detail)
        case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, detail)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
            self.init(.tls, detail)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            self.init(.interrupted, detail)
        default: self.init(.other, detail)
        }
    }
}
