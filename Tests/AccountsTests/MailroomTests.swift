import Domain
import Runtime
import Storage
import TestKit
import Testing

@testable import Accounts

/// Random people who have mail sent.
@Suite struct MailroomTests {
    private struct Mail {
        let to: EmailAddress
        let at: Duration
        let isWarning: Bool
    }

    @Test(arguments: 1...4)
    func `at most one code in five minutes goes to an account, and so many an hour in all, whoever asks`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try DeskScene()
        var accounts: [Account] = []
        for number in 1...6 { accounts.append(try await scene.account("user\(number)")) }
        let home = Origin(user: "u", host: "home")
        _ = await scene.desk.logins.welcome(accounts[0], from: home)
        var mails: [Mail] = []
        for step in 1...400 {
            scene.clock.advance(by: .seconds(Int.random(in: 0...40, using: &random)))
            let account = accounts[Int.random(in: 0..<accounts.count, using: &random)]
            let stranger = Origin(user: "u", host: "host\(step)")
            switch Int.random(in: 0...3, using: &random) {
            case 0: try await scene.desk.mailroom.sendReset(account.name.spelling, from: stranger, bot: DeskScene.bot)
            case 1:
                try await scene.desk.mailroom.sendReset("\(account.name)@example.org", from: home, bot: DeskScene.bot)
            case 2: _ = try await scene.desk.mailroom.sendVerification(of: account, bot: DeskScene.bot)
            default: await link(account, from: home, scene)
            }
            for letter in scene.post.letters.dropFirst(mails.count) {
                mails.append(
                    Mail(
                        to: letter.to, at: scene.clock.time.now(), isWarning: letter.subject.contains("was linked")))
            }
            expectFew(mails)
        }
        #expect(mails.contains { $0.isWarning })
        #expect(mails.contains { !$0.isWarning })
    }

    /// Looks at the latest mail and those before it.
    private func expectFew(_ mails: [Mail]) {
        guard let last = mails.last else { return }
        let alike = mails.filter { $0.isWarning == last.isWarning }
        #expect(alike.count { $0.to == last.to && last.at - $0.at < .seconds(300) } == 1)
        // Of those at home thirty, and thirty of all others.
        #expect(alike.count { last.at - $0.at < .seconds(3600) } <= (last.isWarning ? 30 : 60))
    }

    private func link(_ account: Account, from origin: Origin, _ scene: DeskScene) async {
        guard let link = ServicesLink(network: origin.network, servicesAccount: "s"),
            case .granted(let change) = try? await scene.desk.authorize(
                .link(link, shown: "s", Secret("correct-horse")), of: account, from: origin)
        else { return }
        _ = try? await scene.desk.make(change, bot: DeskScene.bot)
        await scene.desk.mailroom.warn(of: change, bot: DeskScene.bot)
    }

    @Test func `the old address is told of a new one, though nobody is logged in any more, and not of its own`()
        async throws
    {
        let scene = try DeskScene()
        let alice = try await scene.account("alice")
        let origin = Origin(user: "u", host: "home")
        for address in ["alice@example.org", "other@example.org"] {
            let email = try #require(EmailAddress(address))
            let authorization = try await scene.desk.authorize(
                .email(email, Secret("correct-horse")), of: alice, from: origin)
            guard case .granted(let change) = authorization else { return #expect(Bool(false), "not granted") }
            _ = try await scene.desk.make(change, bot: DeskScene.bot)
            await scene.desk.mailroom.warn(of: change, bot: DeskScene.bot)
        }
        #expect(scene.post.letters.map(\.to.spelling) == ["alice@example.org"])
        #expect(scene.post.letters.first?.lines.contains { $0.contains("other@") } == false)
    }

    @Test func `a code opens its account once, however many wrong ones others try`() async throws {
        let scene = try DeskScene()
        try await scene.account("alice")
        let (owner, evil) = (Origin(user: "u", host: "home"), Origin(user: "e", host: "evil"))
        try await scene.desk.mailroom.sendReset("alice", from: owner, bot: DeskScene.bot)
        let code = try #require(scene.post.code)
        func reset(_ code: String, to new: String, from origin: Origin) async throws -> Bool {
            let outcome = try await scene.desk.logins.reset("alice", by: Secret(code), to: Secret(new), from: origin)
            if case .changed = outcome { return true }
            return false
        }
        for _ in 1...10 { #expect(try await !reset("AAAA-BBBB-CCCC", to: "new-horse", from: evil)) }
        #expect(try await reset(code.lowercased(), to: "new-horse", from: owner))
        #expect(try await !reset(code, to: "newer-horse", from: owner))
        #expect(try await scene.answer("new-horse", for: "alice", from: owner) == .right)
    }
}
