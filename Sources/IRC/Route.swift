import Domain
import Network

/// The way to a network's server: as it is configured, or over TLS where the server has asked for that (`sts`).
@NetworkThread
struct Route {
    private let configured: NetworkSettings
    private let policies: STSPolicies
    /// The port that the server named in clear text. Until it has let the bot in there nothing else is tried: who can spoil
    /// the TLS connection must not win one in clear text by it.
    private var upgrade: Int?
    /// Of the connection that began last.
    private(set) var current: NetworkSettings
    /// The server was met on that connection, so that what it asked for last goes on from there.
    private var isMet = false

    nonisolated init(_ settings: NetworkSettings, _ policies: STSPolicies) {
        configured = settings
        current = settings
        self.policies = policies
    }

    /// TLS although it is not configured.
    var isUpgraded: Bool { !configured.isEncrypted && current.isEncrypted }

    private var host: String { configured.endpoint.host }

    /// How to connect now.
    mutating func begin(at now: Timestamp) -> NetworkSettings {
        current = configured
        isMet = false
        if !configured.isEncrypted, let port = upgrade ?? policies.port(for: host, at: now) {
            current = configured.overTLS(port: port)
        }
        return current
    }

    /// The server asks for TLS on this port.
    mutating func ask(for port: Int) { upgrade = port }

    /// The server has let the bot in; from here on its policy decides, if it has one.
    mutating func reached() {
        upgrade = nil
        isMet = true
    }

    /// The server has said over TLS how long TLS is to be kept to.
    mutating func keep(_ duration: Duration, at now: Timestamp) {
        isMet = true
        policies.keep(duration, port: current.endpoint.port, for: host, at: now)
        Task { [policies] in await policies.save() }
    }

    /// The connection is over, or goes on and may end without notice: the time runs from now. Where the server was not met
    /// it does not, or one that gave up TLS could never be met again.
    func renew(at now: Timestamp) async {
        guard current.isEncrypted, isMet else { return }
        policies.renew(host, at: now)
        await policies.save()
    }
}
