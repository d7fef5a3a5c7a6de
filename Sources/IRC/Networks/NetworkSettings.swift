public import Domain
public import IRCProtocol
public import Network

/// One network: where it is, how to log in, where to be.
public struct NetworkSettings: Sendable {
    public let name: NetworkName
    public private(set) var endpoint: PipeEndpoint
    /// How TLS is spoken where the server asks for it although the endpoint has none (`sts`).
    public let tlsWhenAsked: TLSOptions
    /// Passwords for services may go over a connection without TLS.
    public let isInsecureAllowed: Bool
    public let serverPassword: Secret?
    public let sasl: SASLSettings?
    public let nickServ: NickServSettings?
    public let pace: Pace
    public let channels: [ChannelSettings]
    /// What people's lines are read in that are no UTF-8; nil for a repair with U+FFFD.
    public let legacyEncoding: LegacyEncoding?

    public init(
        name: NetworkName, endpoint: PipeEndpoint, tlsWhenAsked: TLSOptions = TLSOptions(),
        isInsecureAllowed: Bool = false, serverPassword: Secret? = nil, sasl: SASLSettings? = nil,
        nickServ: NickServSettings? = nil, pace: Pace = Pace(), channels: [ChannelSettings] = [],
        legacyEncoding: LegacyEncoding? = nil
    ) {
        self.name = name
        self.endpoint = endpoint
        self.tlsWhenAsked = tlsWhenAsked
        self.isInsecureAllowed = isInsecureAllowed
        self.serverPassword = serverPassword
        self.sasl = sasl
        self.nickServ = nickServ
        self.pace = pace
        self.channels = channels
        self.legacyEncoding = legacyEncoding
    }
}

extension NetworkSettings {
    var isEncrypted: Bool { endpoint.tls != nil }

    /// What a connection with these settings begins with.
    func registration(of identity: BotIdentity) -> Registration {
        let login = sasl.map {
            SASL(
                $0, isEncrypted: isEncrypted, isInsecureAllowed: isInsecureAllowed,
                hasCertificate: endpoint.tls?.clientCertificate != nil)
        }
        return Registration(
            identity: identity, serverPassword: serverPassword, sasl: login, canIdentify: nickServ != nil)
    }

    /// The same, with TLS on this port.
    func overTLS(port: Int) -> NetworkSettings {
        var secured = self
        secured.endpoint.port = port
        secured.endpoint.tls = tlsWhenAsked
        return secured
    }
}
