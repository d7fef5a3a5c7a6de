import Domain
import Network
public import Runtime

/// Tries a network out for `confab check --connect`: TLS, registration and login, no channel.
public enum LinkCheck {
    /// Connects, registers, says goodbye; what worked, in words, one line a finding.
    public static func check(
        _ settings: NetworkSettings, identity: BotIdentity, log: Log, time: Time = .system
    ) async throws(LinkCheckFailure) -> [String] {
        let findings = await Attempt(settings, identity: identity, log: log, time: time).run()
        return try findings.get()
    }
}

/// Why a network does not work, in words.
public struct LinkCheckFailure: Error, Sendable, CustomStringConvertible {
    public let description: String
}

@NetworkThread
private final class Attempt {
    private let relay: Relay
    private let findings: Findings

    init(_ settings: NetworkSettings, identity: BotIdentity, log: Log, time: Time) {
        let findings = Findings(settings)
        self.findings = findings
        relay = Relay(settings, identity: identity, log: log, time: time) { findings.take($0) }
        findings.relay = relay
    }

    func run() async -> Result<[String], LinkCheckFailure> {
        let ending = await relay.run()
        return findings.lines.isEmpty
            ? .failure(LinkCheckFailure(description: ending.reason)) : .success(findings.lines)
    }
}

/// What the check saw once it was online.
@NetworkThread
private final class Findings {
    weak var relay: Relay?
    private(set) var lines: [String] = []
    private let settings: NetworkSettings

    init(_ settings: NetworkSettings) { self.settings = settings }

    func take(_ event: Relay.Event) {
        guard case .online(let nick, _) = event, let relay else { return }
        let endpoint = settings.endpoint
        let protection = endpoint.tls == nil ? "in clear text" : "over TLS, certificate accepted"
        lines = ["connected to \(endpoint.host) port \(endpoint.port) \(protection)"]
        let network = relay.support.networkName.map { " on \($0)" } ?? ""
        lines.append("registered as \(nick)\(network)")
        if relay.registration.account != nil || relay.registration.loginMethod != nil {
            let account = relay.registration.account.map { " as \($0)" } ?? ""
            let method = relay.registration.loginMethod.map { " by \($0)" } ?? ""
            lines.append("logged in to services\(account)\(method)")
        } else if settings.sasl != nil || settings.nickServ != nil {
            lines.append("not logged in to services: \(relay.registration.loginFailure ?? "no answer")")
        }
        relay.quit("check done")
    }
}
