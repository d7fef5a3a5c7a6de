/// Somebody whose lines in a channel the bot need not hear for a while, but for those that may concern it.
public struct Bystander: Sendable {
    /// As the line showed them by which the bot knows.
    public let person: Person
    /// As the server spelled it there.
    public let channel: ChannelName
    /// For how long at most.
    public let time: Duration
    /// Whether a text may concern the bot: UTF-8 without control characters. In doubt it does.
    public let concerns: @Sendable (_ text: ArraySlice<UInt8>) -> Bool

    public init(
        _ person: Person, in channel: ChannelName, for time: Duration,
        concerns: @escaping @Sendable (_ text: ArraySlice<UInt8>) -> Bool
    ) {
        self.person = person
        self.channel = channel
        self.time = time
        self.concerns = concerns
    }
}
