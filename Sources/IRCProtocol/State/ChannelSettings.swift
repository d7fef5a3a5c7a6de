public import Domain

/// A channel the bot is to be in.
public struct ChannelSettings: Sendable {
    public let name: String
    public let key: Secret?

    public init(name: String, key: Secret? = nil) {
        self.name = name
        self.key = key
    }
}
