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
    /// What the server asked for last, by the monotonic clock: a wall clock that is set ahead must not end it.
    private var held: (port: Int, duration: Duration, until: Duration)?
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

    /// How to connect now; `now` is of a monotonic clock, here and below.
    mutating func begin(at wall: Timestamp, now: Duration) -> NetworkSettings {
        current = configured
        isMet = false
        let promised = held.flatMap { now < $0.until ? $0.port : nil }
        if !configured.isEncrypted, let port = upgrade ?? promised ?? policies.port(for: host, at: wall) {
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
    mutating func keep(_ duration: Duration, at wall: Timestamp, now: Duration) {
        isMet = true
        held = duration > .zero ? (current.endpoint.port, duration, now + duration) : nil
        policies.keep(duration, port: current.endpoint.port, for: host, at: wall)
        Task { [policies] in await policies.save() }
    }

    /// The connection is over, or goes on and may end without notice: the time runs from now. Where the server was not met
    /// it does not, or one that gave up TLS could never be met again.
    mutating func renew(at wall: Timestamp, now: Duration) {
        guard current.isEncrypted, isMet else { return }
        if let held { self.held?.until = now + held.duration }
        policies.renew(host, at: wall)
    }

    /// Returns when what holds now is on the disk.
    func save() async { await policies.save() }
}
