import Domain
public import IRCProtocol
import Network
public import Runtime

/// Tries a network out for `confab check --connect`: TLS, registration and login, no channel.
public enum LinkCheck {
    /// Connects, registers, says goodbye; what worked, in words, one line a finding.
    public static func check(
        _ settings: NetworkSettings, identity: BotIdentity, policies: STSPolicies = STSPolicies(), log: Log,
        time: Time = .system
    ) async throws(LinkCheckFailure) -> [String] {
        try await Attempt(settings, identity: identity, log: log, time: time).run(Route(settings, policies)).get()
    }
}

/// Why a network does not work, in words.
public struct LinkCheckFailure: Error, Sendable, CustomStringConvertible {
    public let description: String
}

@NetworkThread
private struct Attempt {
    private let settings: NetworkSettings
    private let identity: BotIdentity
    private let log: Log
    private let time: Time

    init(_ settings: NetworkSettings, identity: BotIdentity, log: Log, time: Time) {
        self.settings = settings
        self.identity = identity
        self.log = log
        self.time = time
    }

    func run(_ route: Route) async -> Result<[String], LinkCheckFailure> {
        var route = route
        var target = route.begin(at: time.wall(), now: time.now())
        var notes = route.isUpgraded ? ["met over TLS, as it asked for when the bot ran (STS)"] : []
        var (ending, findings) = await connect(to: target)
        if case .upgrade(let port) = ending.next {
            notes = ["asks for TLS on port \(port) instead of clear text on port \(target.endpoint.port) (STS)"]
            route.ask(for: port)
            target = route.begin(at: time.wall(), now: time.now())
            (ending, findings) = await connect(to: target)
        }
        let words = (notes + [ending.reason]).joined(separator: "; ")
        return findings.isEmpty ? .failure(LinkCheckFailure(description: words)) : .success(notes + findings)
    }

    private func connect(to target: NetworkSettings) async -> (Ending, [String]) {
        let findings = Findings(target)
        let relay = Relay(target, identity: identity, log: log, time: time) { findings.take($0) }
        findings.relay = relay
        let ending = await relay.run()
        return (ending, findings.lines)
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
        let protection = settings.isEncrypted ? "over TLS, certificate accepted" : "in clear text"
        lines = ["connected to \(endpoint.host) port \(endpoint.port) \(protection)"]
        let network = relay.support.networkName.map { " on \($0)" } ?? ""
        lines.append("registered as \(nick)\(network)")
        if relay.registration.isLoggedIn {
            let account = relay.registration.account.map { " as \($0)" } ?? ""
            let method = relay.registration.loginMethod.map { " by \($0)" } ?? ""
            lines.append("logged in to services\(account)\(method)")
        } else if settings.sasl != nil || settings.nickServ != nil {
            lines.append("not logged in to services: \(relay.registration.loginFailure ?? "no answer")")
        }
        relay.quit("check done")
    }
}
