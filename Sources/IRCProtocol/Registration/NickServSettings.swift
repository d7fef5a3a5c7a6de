public import Domain

/// How to log in by a line to services, where there was no login by SASL.
public struct NickServSettings: Sendable {
    /// Whose answer is believed.
    public let nick: String
    /// A whole line for the server; `{account}` and `{password}` stand for what follows.
    public let command: String
    public let account: String
    public let password: Secret
    /// Parts of the answers that mean yes, and no; upper and lower case are the same.
    public let accepted: [String]
    public let refused: [String]
    /// For the answer.
    public let timeout: Duration
    /// Without the login the bot does not stay on the network.
    public let isRequired: Bool

    public init(
        nick: String, command: String, account: String, password: Secret, accepted: [String], refused: [String],
        timeout: Duration, isRequired: Bool
    ) {
        self.nick = nick
        self.command = command
        self.account = account
        self.password = password
        self.accepted = accepted
        self.refused = refused
        self.timeout = timeout
        self.isRequired = isRequired
    }
}
