public import Domain

/// Where somebody asks from: `user@host` on a network. Whoever speaks from there again is taken for the same person.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// A host on a network. The user before it is anyone's to choose, so guessing is slowed down by host.
    public struct Host: Hashable, Sendable, CustomStringConvertible {
        public let network: NetworkName
        public let name: String

        public init(network: NetworkName, name: String) {
            self.network = network
            self.name = name
        }

        /// As earlier versions stored it with an account.
        public var description: String { "\(network) \(name)" }
    }

    public let user: String
    public let host: Host

    public init(_ person: Person, on network: NetworkName) {
        user = person.user
        host = Host(network: network, name: person.host)
    }

    public var network: NetworkName { host.network }

    /// `network user@host`, as it is stored with an account.
    public var description: String { "\(host.network) \(user)@\(host.name)" }
}
