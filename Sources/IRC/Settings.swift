public import Domain
public import Network

/// Who the bot is on every network.
public struct BotIdentity: Sendable {
    public let nick: String
    /// Tried in this order where `nick` is taken.
    public let alternateNicks: [String]
    /// The `user` of `nick!user@host`, as far as the server lets clients choose it.
    public let username: String
    /// Shown by WHOIS; on public networks it names the operator and a contact.
    public let realname: String
    /// The answer to CTCP VERSION.
    public let version: String

    public init(nick: String, alternateNicks: [String], username: String, realname: String, version: String) {
        self.nick = nick
        self.alternateNicks = alternateNicks
        self.username = username
        self.realname = realname
        self.version = version
    }
}

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

    /// The same, with TLS on this port.
    func overTLS(port: Int) -> NetworkSettings {
        var secured = self
        secured.endpoint.port = port
        secured.endpoint.tls = tlsWhenAsked
        return secured
    }
}

/// How to log in to the network's services while connecting.
public struct SASLSettings: Sendable {
    /// In the order that is best where nobody chose one: who is tried first shows the server the least.
    public enum Mechanism: String, Sendable, CaseIterable {
        /// By the client certificate of the TLS connection.
        case external = "EXTERNAL"
        /// By a signature of the key.
        case ecdsa = "ECDSA-NIST256P-CHALLENGE"
        /// By a proof of the password that both sides give.
        case scramSHA512 = "SCRAM-SHA-512"
        case scramSHA256 = "SCRAM-SHA-256"
        /// By account and password.
        case plain = "PLAIN"

        public var needsPassword: Bool { self == .plain || isSCRAM }

        public var isSCRAM: Bool { self == .scramSHA256 || self == .scramSHA512 }
    }

    /// In order of preference.
    public let mechanisms: [Mechanism]
    public let account: String
    public let password: Secret?
    public let key: SigningKey?
    /// Without the login the bot does not stay on the network.
    public let isRequired: Bool

    public init(
        mechanisms: [Mechanism], account: String, password: Secret?, key: SigningKey? = nil, isRequired: Bool
    ) {
        self.mechanisms = mechanisms
        self.account = account
        self.password = password
        self.key = key
        self.isRequired = isRequired
    }

    /// Whether SCRAM can compute with account and password: see `SASLprep`.
    public var isFitForSCRAM: Bool {
        guard let password else { return false }
        return SASLprep.prepared(account) != nil && SASLprep.prepared(password.reveal()) != nil
    }
}

/// How to log in by a line to services, where there was no login by SASL.
public struct NickServSettings: Sendable {
    /// Whose answer is believed.
    public let nick: String
    /// A whole line for the server; `{account}` and `{password}` stand for what follows.
    public let command: String
    public let account: String
    public let password: Secret
    /// Parts of the answers that mean yes, and no; upper and lower case are the same.
    public let accepted: [String]
    public let refused: [String]
    /// For the answer.
    public let timeout: Duration
    /// Without the login the bot does not stay on the network.
    public let isRequired: Bool

    public init(
        nick: String, command: String, account: String, password: Secret, accepted: [String], refused: [String],
        timeout: Duration, isRequired: Bool
    ) {
        self.nick = nick
        self.command = command
        self.account = account
        self.password = password
        self.accepted = accepted
        self.refused = refused
        self.timeout = timeout
        self.isRequired = isRequired
    }
}

extension Secret {
    /// A text of others, the secret in it replaced where they repeat it.
    func hidden(in text: String) -> String { isEmpty ? text : text.replacing(reveal(), with: description) }
}

/// How fast lines may go out: a bucket of `burst` lines that gains one each `interval`.
public struct Pace: Sendable {
    public let burst: Int
    public let interval: Duration

    public init(burst: Int = 4, interval: Duration = .seconds(2)) {
        self.burst = burst
        self.interval = interval
    }
}

/// A channel the bot is to be in.
public struct ChannelSettings: Sendable {
    public let name: String
    public let key: Secret?

    public init(name: String, key: Secret? = nil) {
        self.name = name
        self.key = key
    }
}
