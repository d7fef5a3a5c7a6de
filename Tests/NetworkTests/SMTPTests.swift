import Domain
import TestKit
import Testing

@testable import Network

/// Mail through curl to a real server.
@Suite(.timeLimit(.minutes(1)))
struct SMTPTests {
    private let scratch: Scratch
    private let certificates: Certificates
    private let time = Timestamp(milliseconds: 1_790_000_000_000)

    init() async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
    }

    private func server(_ url: String, password: String = SMTPServer.password) throws -> MailServer {
        MailServer(
            url: url, from: try #require(EmailAddress("confab@example.org")), username: SMTPServer.username,
            password: Secret(password), caFile: certificates.authority)
    }

    private func letter(_ lines: [String] = ["Hello,", "", ".a line with a dot first", "ünïcödé"]) throws -> Letter {
        Letter(to: try #require(EmailAddress("alice@example.org")), subject: "A new password", lines: lines)
    }

    @Test(arguments: [SMTPServer.Security.tls, .startTLS])
    func `a letter arrives whole, over TLS and with a password`(security: SMTPServer.Security) async throws {
        let post = try await SMTPServer(in: scratch, certificates: certificates, security)
        let scheme = security == .tls ? "smtps" : "smtp"
        try await SMTP.send(letter(), through: server("\(scheme)://localhost:\(post.port)"), at: time)
        let mail = try #require(post.mails.first).replacing("\r\n", with: "\n")
        #expect(
            mail.hasPrefix(
                """
                Date: Mon, 21 Sep 2026 14:13:20 +0000
                From: Confab <confab@example.org>
                To: <alice@example.org>
                Subject: A new password
                Message-ID: <1790000000000.
                """))
        #expect(mail.contains("\nAuto-Submitted: auto-generated\n"))
        #expect(mail.hasSuffix("\n\nHello,\n\n.a line with a dot first\nünïcödé\n"))
    }

    @Test func `without TLS, with another certificate or with a wrong password nothing is sent`() async throws {
        let clear = try await SMTPServer(in: scratch, certificates: certificates, .clear)
        await #expect(throws: MailFailure.self) {
            try await SMTP.send(letter(), through: server("smtp://localhost:\(clear.port)"), at: time)
        }
        let post = try await SMTPServer(in: scratch, certificates: certificates)
        var stranger = try server("smtps://localhost:\(post.port)")
        stranger.caFile = certificates.otherAuthority
        await #expect(throws: MailFailure.self) { try await SMTP.send(letter(), through: stranger, at: time) }
        let failure = await #expect(throws: MailFailure.self) {
            try await SMTP.send(
                letter(), through: server("smtps://localhost:\(post.port)", password: "wrong"), at: time)
        }
        #expect(failure?.detail.contains("wrong") == false)
        await #expect(throws: MailFailure.self) {
            try await SMTP.send(letter(), through: server("smtps://localhost:1"), at: time)
        }
        #expect(clear.mails.isEmpty && post.mails.isEmpty)
    }

    @Test func `no line of a letter makes a header or another line`() throws {
        let hostile = Letter(
            to: try #require(EmailAddress("alice@example.org")), subject: "a\r\nBcc: <eve@example.org>",
            lines: ["one\r\n.\r\nMAIL FROM:<eve@example.org>"])
        let from = try #require(EmailAddress("confab@example.org"))
        let text = String(decoding: MailMessage(hostile, from: from, at: time).bytes, as: UTF8.self)
        #expect(!text.contains("\r\nBcc:") && !text.contains("\r\n.\r\n") && !text.contains("\r\nMAIL"))
    }
}
