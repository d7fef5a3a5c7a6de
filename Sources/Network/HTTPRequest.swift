public import Domain

/// One request with its limits.
///
/// No redirect is followed, no proxy of the environment is used, and nothing is asked to be compressed.
public struct HTTPRequest: Sendable {
    public enum Method: Sendable { case get, post }

    public var url: String
    public var method: Method
    public var headers: [(name: String, value: String)]
    /// Sent as `Authorization: Bearer …` to the host of `url` and nowhere else.
    public var bearer: Secret?
    public var body: [UInt8]
    public var connectTimeout: Duration
    /// From the sending until the first byte of the response's body.
    public var firstByteTimeout: Duration
    /// From the sending until the end.
    public var totalTimeout: Duration
    /// In bytes; a larger response fails as `oversized`.
    public var bodyLimit: Int
    /// Authorities in PEM instead of the system's.
    public var caFile: String?

    public init(
        url: String, method: Method, headers: [(name: String, value: String)] = [], bearer: Secret? = nil,
        body: [UInt8] = [], connectTimeout: Duration, firstByteTimeout: Duration, totalTimeout: Duration,
        bodyLimit: Int, caFile: String? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.bearer = bearer
        self.body = body
        self.connectTimeout = connectTimeout
        self.firstByteTimeout = firstByteTimeout
        self.totalTimeout = totalTimeout
        self.bodyLimit = bodyLimit
        self.caFile = caFile
    }
}

/// A response as it comes in: `head` once, `body` any number of times, then `finished`; or at any point `failed`.
public enum HTTPEvent: Sendable {
    /// Names in lower case; a repeated header's values are joined by a comma.
    case head(status: Int, headers: [String: String])
    case body([UInt8])
    case finished
    case failed(HTTPFailure)
}

/// Why there is no whole response. A status of 400 or more is a response and no failure.
public struct HTTPFailure: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case unreachable
        case timedOut
        case tls
        /// The connection ended before the response did.
        case interrupted
        case oversized
        case other
    }

    public let kind: Kind
    /// For the log.
    public let detail: String

    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}

/// HTTP on the network thread: HTTP/2 where the server speaks it, connections reused, any number in flight.
public enum HTTP {
    /// Does all that can be done before the request may be sent; nothing leaves the process.
    @NetworkThread
    public static func prepare(_ request: HTTPRequest) -> PreparedRequest {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPEvent.self)
        let transfer = HTTPTransfer(request, continuation)
        continuation.onTermination = { reason in
            guard case .cancelled = reason else { return }
            Task { @NetworkThread in transfer.cancel() }
        }
        return PreparedRequest(stream, transfer)
    }
}

/// A request that only has to be sent.
public struct PreparedRequest: Sendable {
    private let events: AsyncStream<HTTPEvent>
    let transfer: HTTPTransfer

    fileprivate init(_ events: AsyncStream<HTTPEvent>, _ transfer: HTTPTransfer) {
        self.events = events
        self.transfer = transfer
    }

    /// Sends it, once. Its limits of time begin here.
    public func send() -> HTTPResponse {
        Task { @NetworkThread in transfer.start() }
        return HTTPResponse(events: events, transfer: transfer)
    }
}

/// A response on its way.
public struct HTTPResponse: Sendable {
    /// Ending the iteration, or cancelling the task that iterates, ends the transfer at once.
    public let events: AsyncStream<HTTPEvent>
    fileprivate let transfer: HTTPTransfer

    /// From here on ending the iteration does not end the transfer: what little is to come is let come for a while, unheard,
    /// so that the connection can be used again.
    public func letEnd() { transfer.letEnd() }
}
