package import IRCProtocol

extension BotIdentity {
    /// The bot that tests speak of.
    package static func ofTests(alternates: [String] = []) -> BotIdentity {
        BotIdentity(
            nick: "confab", alternateNicks: alternates, username: "confab", realname: "a bot under test",
            version: "Confab test")
    }
}
