import TestKit
import Testing

/// A new user's bad day: forgotten password, changed nick, second client, left and came back, wrong channel.
@Suite(.timeLimit(.minutes(2)))
struct ForgottenPasswordTests {
    private let scratch: Scratch
    private let certificates: Certificates
    private let post: SMTPServer
    private let server: NGIRCd
    private let api: ScriptedAPI

    init() async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
        post = try await SMTPServer(in: scratch, certificates: certificates)
        server = try await NGIRCd(in: scratch)
        api = try ScriptedAPI { .text("echo \($0.question)") }
    }

    /// One that sends mail.
    private func bot(_ rest: String = "") throws -> ConfabProcess {
        let password = try scratch.secret(SMTPServer.password, named: "mail.password")
        let mail = """
            [mail]
            url = "smtps://localhost:\(post.port)"
            from = "confab@example.org"
            username = "\(SMTPServer.username)"
            password_file = "\(password)"
            ca_file = "\(certificates.authority)"
            """
        return try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, api: api, rest: "\(rest)\n\(mail)")
    }

    @Test func `each step is answered with what to do next, and the mail brings a new password`() async throws {
        let bot = try bot()
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register(password: "soon-forgotten")
        // Changed nick: nothing to do.
        alice.send("NICK alice2")
        alice.say("still me?", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "alice2: echo still me?")
        // Left and came back.
        alice.send("PART #confab")
        try await alice.expectNotice(from: "confab", containing: "I would not see you leave")
        try await alice.join("#confab")
        alice.say("hello?", to: "#confab")
        alice.say("confab: hello?", to: "#confab")
        try await alice.expectNotice(from: "confab", containing: "LOGIN <password>")
        // Forgotten.
        alice.say("LOGIN alice wrong-guess", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "Wrong account or password")
        alice.say("HELP RESET", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "RESET <account> <code> <new password>")
        alice.say("RESET alice", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "a code is on its way there")
        #expect(await eventually { !post.mails.isEmpty })
        let mail = try #require(post.mails.first)
        let line = try #require(mail.split(whereSeparator: \.isNewline).first { $0.contains("/msg confab RESET") })
        let code = try #require(line.split(separator: " ").dropFirst(4).first)
        // The wrong place for it.
        alice.say("RESET alice \(code) battery-staple", to: "#confab")
        try await alice.expectNotice(from: "confab", containing: "That looked like a password")
        alice.say("RESET alice \(code) battery-staple", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "You are logged in.")
        // A second client.
        let phone = try await IRCClient(nick: "phone", port: server.port)
        try await phone.meet(in: "#confab")
        phone.say("LOGIN alice battery-staple", to: "confab")
        try await phone.expectNotice(from: "confab", containing: "You are logged in as alice.")
        try await alice.expectNotice(from: "confab", containing: "also logged in as phone!")
        #expect(await bot.stop() == 0)
        for word in ["soon-forgotten", "battery-staple", String(code), SMTPServer.password] {
            #expect(!bot.program.output.contains(word))
            #expect(try bot.storedBytes().firstRange(of: Array(word.utf8)) == nil)
        }
    }

    @Test func `an address is proven by the code mailed there, and told when another takes its place`() async throws {
        let bot = try bot("[accounts]\nverify_email = true")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        try await alice.expectNotice(from: "confab", containing: "I sent a code to alice@example.org")
        alice.say("too early", to: "#confab")
        try await alice.expectNotice(from: "confab", containing: "Before I answer")
        #expect(await eventually { post.mails.count == 1 })
        let mail = try #require(post.mails.first)
        let line = try #require(mail.split(whereSeparator: \.isNewline).first { $0.contains("/msg confab VERIFY") })
        alice.say("VERIFY \(try #require(line.split(separator: " ").last))", to: "confab")
        try await alice.expectNotice(from: "confab", containing: "your e-mail address is verified")
        alice.say("in time", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "echo in time")
        alice.say("EMAIL alice@example.net correct-horse", to: "confab")
        #expect(await eventually { post.mails.contains { $0.contains("Another e-mail address for alice") } })
        let warning = try #require(post.mails.first { $0.contains("Another e-mail address for alice") })
        #expect(warning.contains("alice@example.org"))
        #expect(!warning.contains("example.net"))
        #expect(!api.requests.contains { $0.body.contains("too early") })
        #expect(await bot.stop() == 0)
    }
}
