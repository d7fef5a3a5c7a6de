public import Domain

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
