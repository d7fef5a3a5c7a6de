/// Where a pipe leads and how it is protected.
public struct PipeEndpoint: Sendable {
    /// A name, or an address; IPv6 without brackets.
    public var host: String
    public var port: Int
    /// Nil for a connection in clear text.
    public var tls: TLSOptions?
    /// A proxy's URL as curl takes it (`socks5h://…`, `http://…`), or nil; the environment is never asked.
    public var proxy: String?
    /// What keeps this connection's circuit apart from those of others that go through the same Tor; a network's name.
    public var proxyIsolation: String?
    /// For everything until the pipe is open: look-up, connection, proxy and TLS.
    public var connectTimeout: Duration

    public init(
        host: String, port: Int, tls: TLSOptions?, proxy: String? = nil, proxyIsolation: String? = nil,
        connectTimeout: Duration
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.proxy = proxy
        self.proxyIsolation = proxyIsolation
        self.connectTimeout = connectTimeout
    }
}

/// How a server proves who it is, and how we do.
///
/// TLS 1.2 at least. Without pins: the chain must lead to the system's authorities, or those of `caFile`, and the name
/// must match. With pins alone the certificate or its key must be one of them and nothing else counts, so that self-signed and
/// expired ones can be used. With pins and `caFile` both must hold.
public struct TLSOptions: Sendable {
    /// PEM.
    public var caFile: String?
    public var pins: [CertificatePin]
    /// PEM; the key may be in the same file.
    public var clientCertificate: String?
    public var clientKey: String?

    public init(
        caFile: String? = nil, pins: [CertificatePin] = [], clientCertificate: String? = nil,
        clientKey: String? = nil
    ) {
        self.caFile = caFile
        self.pins = pins
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
    }

    /// Whether the chain and the name are checked.
    var isVerified: Bool { pins.isEmpty || caFile != nil }
}

/// What a pipe tells its owner, always from the loop and never from inside a call to the pipe.
public enum PipeEvent: Sendable {
    /// The peer is who it should be; bytes flow.
    case opened
    case received([UInt8])
    /// The last event: nil when the peer ended the connection in order.
    case closed(PipeFailure?)
}

/// Why a pipe did not open or did not last.
public struct PipeFailure: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case refused
        /// The proxy does not let the bot through, or cannot reach the server.
        case proxy
        case timedOut
        case nameUnknown
        /// The server's certificate does not hold, or ours cannot be read. Trying again is no use.
        case certificate
        /// The server's certificate is none of the pinned ones. Trying again is no use.
        case pinMismatch
        /// The handshake failed.
        case tls
        case reset
        /// More was written than the pipe holds.
        case overflow
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
