/// A mail to one person, in plain text.
public struct Letter: Sendable, Equatable {
    public let to: EmailAddress
    public let subject: String
    /// Lines of at most 78 characters, as text clients show them (RFC 5322 section 2.1.1).
    public let lines: [String]

    public init(to: EmailAddress, subject: String, lines: [String]) {
        self.to = to
        self.subject = subject
        self.lines = lines
    }
}

/// Why a mail did not go out.
public struct MailFailure: Error, Sendable, Equatable {
    /// For the log; names hosts, never what was in the mail.
    public let detail: String

    public init(_ detail: String) { self.detail = detail }
}

/// Sends a mail, and returns when the server has taken it or has not: what the bot is lent to reach people off IRC.
public typealias SendMail = @Sendable (Letter) async throws(MailFailure) -> Void
