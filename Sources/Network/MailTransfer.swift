import CCurl
import Domain
import Runtime

/// One mail on its way to a server, by curl's SMTP (<https://curl.se/libcurl/c/smtp-tls.html>).
@NetworkThread
final class MailTransfer {
    private static let connectTimeout: Duration = .seconds(20)
    private static let totalTimeout: Duration = .seconds(60)

    private let message: MailMessage
    private let recipient: EmailAddress
    private let server: MailServer
    private let whenDone: @Sendable (Result<Void, MailFailure>) -> Void
    private var handle: EasyHandle?
    private var sent = 0
    private var deadline: LoopTimer?

    init(
        _ message: MailMessage, to recipient: EmailAddress, _ server: MailServer,
        whenDone: @escaping @Sendable (Result<Void, MailFailure>) -> Void
    ) {
        self.message = message
        self.recipient = recipient
        self.server = server
        self.whenDone = whenDone
    }

    func start() {
        let handle = EasyHandle()
        self.handle = handle
        configure(handle)
        deadline = .after(Self.totalTimeout) { [self] in
            end(.failure(MailFailure("not taken within \(Self.totalTimeout)")))
        }
        let isAdded = NetworkLoop.shared.add(handle) { [self] result in
            end(result == CURLE_OK ? .success(()) : .failure(MailFailure(handle.explain(result))))
        }
        if !isAdded { end(.failure(MailFailure("curl takes no further transfer"))) }
    }

    private func configure(_ handle: EasyHandle) {
        handle.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        handle.set(CURLOPT_URL, server.url)
        handle.setProxy(nil)
        handle.set(CURLOPT_USE_SSL, Int((server.isTLSRequired ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue))
        handle.setConnectTimeout(Self.connectTimeout)
        if let file = server.caFile { handle.setAuthorities(file) }
        if let username = server.username { handle.set(CURLOPT_USERNAME, username) }
        if let password = server.password { handle.set(CURLOPT_PASSWORD, password.reveal()) }
        handle.set(CURLOPT_MAIL_FROM, "<\(server.from.spelling)>")
        handle.setRecipient("<\(recipient.spelling)>")
        handle.set(CURLOPT_UPLOAD, 1)
        handle.setBodySource(of: self)
    }

    /// The next part of the message, at most this long; empty at its end.
    func next(_ limit: Int) -> ArraySlice<UInt8> {
        let part = message.bytes[sent...].prefix(limit)
        sent += part.count
        return part
    }

    private func end(_ result: Result<Void, MailFailure>) {
        guard let handle else { return }
        deadline?.cancel()
        // Its body holds this transfer.
        deadline = nil
        NetworkLoop.shared.remove(handle)
        self.handle = nil
        whenDone(result)
    }
}
