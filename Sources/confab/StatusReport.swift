import Domain
import Glibc
import IRC
import Runtime
import Storage

/// What `confab status` prints.
enum StatusReport {
    /// `trouble` is why nothing can be stored.
    static func text(of networks: [NetworkStatus], store trouble: StoreFailure? = nil) -> String {
        let head = "confab \(confabVersion), process \(getpid())"
        let store = trouble.map { ["store: nothing is stored, and nothing taken: \($0.detail). \($0.hint)"] } ?? []
        return ([head] + store + networks.flatMap(lines)).map(\.cleaned).joined(separator: "\n")
    }

    /// One network: its state, and below it what there is to say.
    static func lines(of network: NetworkStatus) -> [String] {
        var lines = ["\(network.name): \(words(of: network.state)) since \(network.since)"]
        if let nick = network.nick {
            lines += [
                "  nick:       \(nick)",
                "  account:    \(network.account ?? "not logged in to services")",
                "  channels:   \(network.channels.isEmpty ? "none" : network.channels.joined(separator: ", "))",
                "  lag:        \(network.lag.map { "\($0.wholeMilliseconds) ms" } ?? "not measured yet")",
                "  queue:      \(network.queuedLines) lines",
            ]
        }
        if network.setAsideLines > 0 {
            let count = network.setAsideLines
            lines.append("  set aside:  \(count) \(count == 1 ? "line that was" : "lines that were") played back")
        }
        if let failure = network.lastFailure { lines.append("  last error: \(failure.at): \(failure.reason)") }
        return lines
    }

    private static func words(of state: NetworkStatus.State) -> String {
        switch state {
        case .connecting: "connecting"
        case .online: "online"
        case .waiting(let rest): "away, next attempt in \(rest.components.seconds + 1) s,"
        case .stopped: "given up"
        }
    }
}
