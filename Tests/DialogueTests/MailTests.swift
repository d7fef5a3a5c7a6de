import Accounts
import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// RESET and VERIFY, as people meet them.
@Suite struct MailTests {
    private let post = Postbox()

    private func registered(in scene: Scene) async throws -> Person {
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        return alice
    }

    @Test func `a forgotten password is reset by a code from the mail, once`() async throws {
        let scene = try await Scene(post: post)
        let alice = try await registered(in: scene)
        let phone = scene.arrives("alice_phone")
        try await scene.logsIn(phone, "alice")
        scene.says(alice, "LOGOUT")
        scene.says(alice, "RESET ALICE@example.org")
        try await scene.sees("-alice- If there is such an account and it has an e-mail address, a code is on its way")
        #expect(await eventually { post.letters.count == 1 })
        let code = try #require(post.code)
        scene.says(alice, "RESET alice \(code) battery-staple")
        try await scene.sees("-alice_phone- The password of alice was changed, so you are logged out.")
        try await scene.sees("-alice- alice has a new password, and all its other logins are over. You are logged in.")
        scene.says(alice, "LOGOUT")
        scene.says(alice, "RESET alice \(code) another-staple")
        try await scene.sees("-alice- That code is not right, was used, or is more than 30 minutes old.")
        try await scene.logsIn(alice, nil, "battery-staple")
    }

    @Test func `an unknown account, one without address and one that was mailed just now hear the same`() async throws {
        let scene = try await Scene(post: post) { $0.isEmailRequired = false }
        _ = try await registered(in: scene)
        let bob = scene.arrives("bob")
        scene.says(bob, "REGISTER correct-horse")
        try await scene.sees("-bob- Registered")
        var answers: Set<String> = []
        for (number, login) in ["alice", "alice", "bob", "nobody", "nobody@example.org"].enumerated() {
            let eve = scene.arrives("eve\(number)")
            scene.says(eve, "RESET \(login)")
            let line = try await scene.sees("-eve\(number)- ")
            answers.insert(String(line.drop { $0 != " " }))
        }
        #expect(answers.count == 1)
        try await scene.settle()
        #expect(post.letters.map(\.to.spelling) == ["alice@example.org"])
    }

    @Test func `a code is good for thirty minutes, and wrong ones of others do not use it up`() async throws {
        let scene = try await Scene(post: post)
        _ = try await registered(in: scene)
        let late = scene.arrives("late")
        scene.says(late, "RESET alice")
        #expect(await eventually { post.letters.count == 1 })
        scene.clock.advance(by: .seconds(1800))
        scene.says(late, "RESET alice \(try #require(post.code)) battery-staple")
        try await scene.sees("-late- That code is not right")
        scene.says(late, "RESET alice")
        #expect(await eventually { post.letters.count == 2 })
        for number in 1...10 {
            let eve = scene.arrives("eve\(number)")
            scene.says(eve, "RESET alice AAAA-BBBB-CCCC battery-staple")
            try await scene.sees("-eve\(number)- That code is not right")
        }
        let alice = scene.arrives("alice_phone")
        scene.says(alice, "RESET alice \(try #require(post.code)) battery-staple")
        try await scene.sees("-alice_phone- alice has a new password")
    }

    @Test func `one source asks for three codes an hour, one account gets one in five minutes`() async throws {
        let scene = try await Scene(post: post)
        _ = try await registered(in: scene)
        let eve = scene.arrives("eve")
        for _ in 1...3 { scene.says(eve, "RESET alice") }
        scene.says(eve, "RESET alice")
        try await scene.sees("-eve- That was asked too often from where you are. Nothing was sent; try again in 60 min")
        try await scene.settle()
        #expect(post.letters.count == 1)
    }

    @Test func `without a mail server RESET says whom to ask`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "RESET alice")
        try await scene.sees(
            "-alice- This bot sends no e-mail. If you forgot your password, ask its operator.")
    }

    @Test func `a code typed in a channel is kept from everyone`() async throws {
        let scene = try await Scene(post: post)
        let alice = try await registered(in: scene)
        scene.says(alice, "RESET alice K7M2-X9QP-4RTV battery-staple", in: "#confab")
        try await scene.sees("-alice- That looked like a password")
        scene.says(alice, "reset the router please", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["reset the router please"])
    }

    @Test func `with verify_email nothing is answered before the code from the mail`() async throws {
        let scene = try await Scene(post: post) { $0.accounts.isVerifiedEmailRequired = true }
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER correct-horse alice@example.org")
        try await scene.sees("-alice- Registered: your account is alice, and you are logged in.")
        try await scene.sees("-alice- I sent a code to alice@example.org, good for 30 minutes.")
        scene.says(alice, "hello?", in: "#confab")
        try await scene.sees("-alice- Before I answer, prove your e-mail address with the code I sent there")
        scene.says(alice, "VERIFY AAAA-BBBB-CCCC")
        try await scene.sees("-alice- That code is not right")
        scene.says(alice, "VERIFY \(try #require(post.code?.lowercased()))")
        try await scene.sees("-alice- Thank you: your e-mail address is verified.")
        scene.says(alice, "hello now?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.clock.advance(by: .seconds(300))
        scene.says(alice, "EMAIL alice@example.net correct-horse")
        try await scene.sees("-alice- I sent a code to alice@example.net")
        #expect(post.letters.contains { $0.to.spelling == "alice@example.net" && $0.subject.contains("at bot") })
    }

    @Test func `a mail server that is out of order is said, and another code can be had later`() async throws {
        post.breaksDown()
        let scene = try await Scene(post: post) { $0.accounts.isVerifiedEmailRequired = true }
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER correct-horse alice@example.org")
        try await scene.sees("-alice- I could not send a mail to your address just now")
        #expect(scene.memory.lines.contains { $0.contains("A mail was not sent") && $0.contains("out of order") })
        #expect(!scene.memory.lines.contains { $0.contains("alice@example.org") })
    }

    @Test func `an address that was changed is told so, whatever else was mailed, and does not learn the new one`()
        async throws
    {
        let scene = try await Scene(post: post)
        let alice = try await registered(in: scene)
        scene.says(scene.arrives("eve"), "RESET alice")
        #expect(await eventually { post.letters.count == 1 })
        scene.says(alice, "EMAIL new@example.org wrong-horse")
        try await scene.sees("-alice- That is not your password.")
        scene.says(alice, "EMAIL new@example.org correct-horse")
        #expect(await eventually { post.letters.count == 2 })
        let letter = try #require(post.letters.last)
        #expect(letter.to.spelling == "alice@example.org")
        #expect(letter.subject == "Another e-mail address for alice")
        #expect(letter.lines.contains { $0.contains("somebody knows your password") })
        #expect(!letter.lines.contains { $0.contains("new@example.org") })
        // The bot is no means to fill strangers' mailboxes.
        scene.says(alice, "EMAIL third@example.org correct-horse")
        scene.says(alice, "EMAIL")
        try await scene.sees("-alice- Your e-mail address is third@example.org")
        #expect(post.letters.count == 2)
    }

    @Test func `a request of somebody else ends no code that is under way, and uses up no mail of the owner`()
        async throws
    {
        let scene = try await Scene(post: post)
        let alice = try await registered(in: scene)
        scene.says(alice, "LOGOUT")
        scene.says(alice, "RESET alice")
        #expect(await eventually { post.letters.count == 1 })
        let code = try #require(post.code)
        for number in 1...5 {
            scene.clock.advance(by: .seconds(300))
            scene.says(scene.arrives("eve\(number)"), "RESET alice")
            #expect(await eventually { post.letters.count == 1 + number })
        }
        scene.says(alice, "RESET alice \(code) battery-staple")
        try await scene.sees("-alice- alice has a new password")
        // None of the others is good after that.
        scene.says(scene.arrives("late"), "RESET alice \(try #require(post.code)) stolen-staple")
        try await scene.sees("-late- That code is not right")
    }

    @Test(arguments: ["-oQ/tmp/x@example.org", "a%b@example.org", "a!b@example.org", "=?utf-8?q?a?=@example.org"])
    func `an address that is not plain is refused, and one from before gets no mail`(address: String) async throws {
        let scene = try await Scene(post: post)
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER correct-horse \(address)")
        try await scene.sees("-alice- That e-mail address has a form that mail servers may take for something else.")
        try await scene.registers(alice)
        scene.says(alice, "EMAIL \(address) correct-horse")
        try await scene.sees("-alice- That e-mail address has a form")
        let account = try #require(try await scene.store.credentials(for: "alice")?.account)
        _ = try await scene.store.setEmail(try #require(EmailAddress(address)), of: account.id)
        scene.says(scene.arrives("bob"), "RESET alice")
        try await scene.sees("-bob- If there is such an account")
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
        scene.says(alice, "VERIFY")
        try await scene.sees("-alice- Your e-mail address has a form to which I send no mail.")
        #expect(post.letters.isEmpty)
    }
}
