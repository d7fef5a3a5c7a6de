/// Who the bot is on every network.
public struct BotIdentity: Sendable {
    public let nick: String
    /// Tried in this order where `nick` is taken.
    public let alternateNicks: [String]
    /// The `user` of `nick!user@host`, as far as the server lets clients choose it.
    public let username: String
    /// Shown by WHOIS; on public networks it names the operator and a contact.
    public let realname: String
    /// The answer to CTCP VERSION.
    public let version: String

    public init(nick: String, alternateNicks: [String], username: String, realname: String, version: String) {
        self.nick = nick
        self.alternateNicks = alternateNicks
        self.username = username
        self.realname = realname
        self.version = version
    }
}
