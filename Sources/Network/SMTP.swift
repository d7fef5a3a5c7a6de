public import Domain
import Runtime

/// A server that takes mail from the bot.
public struct MailServer: Sendable {
    /// `smtps://host:465`, TLS from the beginning, or `smtp://host:587`, TLS by STARTTLS.
    public var url: String
    /// The sender's address.
    public var from: EmailAddress
    public var username: String?
    public var password: Secret?
    /// Authorities in PEM instead of the system's.
    public var caFile: String?
    /// Without TLS nothing is sent. False only for a server on this machine.
    public var isTLSRequired: Bool

    public init(
        url: String, from: EmailAddress, username: String? = nil, password: Secret? = nil, caFile: String? = nil,
        isTLSRequired: Bool = true
    ) {
        self.url = url
        self.from = from
        self.username = username
        self.password = password
        self.caFile = caFile
        self.isTLSRequired = isTLSRequired
    }
}

/// Mail on the network thread.
public enum SMTP {
    /// Hands a letter to the server; returns when it has taken it.
    public static func send(
        _ letter: Letter, through server: MailServer, at time: Timestamp
    ) async throws(MailFailure) {
        let message = MailMessage(letter, from: server.from, at: time)
        let result = await withCheckedContinuation { continuation in
            Task { @NetworkThread in
                MailTransfer(message, to: letter.to, server) { continuation.resume(returning: $0) }.start()
            }
        }
        try result.get()
    }
}
