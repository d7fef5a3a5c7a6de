public import Domain

/// A channel in which the bot is to be silent.
public struct QuietChannel: Hashable, Sendable {
    public let network: NetworkName
    /// Folded by the casemapping of its network.
    public let name: String

    public init(_ channel: ChannelName, on network: NetworkName) {
        self.network = network
        name = channel.folded
    }

    fileprivate init(row: Row) {
        network = NetworkName(row.text(0))
        name = row.text(1)
    }
}

/// Channels whose operators told the bot to be silent there.
extension Store {
    public func quietChannels() async throws(StoreFailure) -> [QuietChannel] {
        try await read("SELECT network, channel FROM quiet_channels", []) { (row) throws(StoreFailure) in
            QuietChannel(row: row)
        }
    }

    /// `actor` is who told it, as the audit table keeps people.
    public func setQuiet(
        _ isQuiet: Bool, _ channel: QuietChannel, by actor: String, at time: Timestamp
    ) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            let key: [Value] = [.text(channel.network.description), .text(channel.name)]
            if isQuiet {
                try connection.run("INSERT OR IGNORE INTO quiet_channels (network, channel) VALUES (?, ?)", key)
            } else {
                try connection.run("DELETE FROM quiet_channels WHERE network = ? AND channel = ?", key)
            }
            try connection.audit(
                isQuiet ? "QUIET" : "RESUME", of: "\(channel.name) on \(channel.network)", by: actor, at: time)
        }
    }
}
