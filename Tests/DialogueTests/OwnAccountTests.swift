import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// PASSWORD, EMAIL, PROFILE, SESSIONS and DROP, as people meet them.
@Suite struct OwnAccountTests {
    private func registered(in scene: Scene) async throws -> Person {
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        return alice
    }

    // MARK: Password

    @Test func `PASSWORD changes it and ends the other logins`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        let phone = scene.arrives("alice_phone")
        try await scene.logsIn(phone, "alice")
        scene.says(alice, "PASSWORD correct-horse battery-staple")
        try await scene.sees("-alice_phone- The password of alice was changed, so you are logged out.")
        try await scene.sees("-alice- alice has a new password, and all its other logins are over.")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        scene.says(alice, "still here?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(phone, "LOGIN alice correct-horse")
        try await scene.sees("-alice_phone- Wrong account or password.")
        try await scene.logsIn(phone, "alice", "battery-staple")
    }

    @Test func `a wrong old password, a short new one and one that everybody knows change nothing`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        for (line, answer) in [
            ("PASSWORD", "That takes your present password and a new one"),
            ("PASSWORD correct-horse", "That takes your present password and a new one"),
            ("PASSWORD wrong-horse battery-staple", "That is not your present password."),
            ("PASSWORD correct-horse tiny", "The new password is too short: it needs at least 6"),
            ("PASSWORD correct-horse correct-horse", "The new password is your account's name or the old"),
        ] {
            scene.says(alice, line)
            try await scene.sees("-alice- \(answer)")
        }
        scene.says(alice, "LOGOUT")
        scene.says(alice, "PASSWORD correct-horse battery-staple")
        try await scene.sees("-alice- You are not logged in.")
        try await scene.logsIn(alice)
    }

    @Test func `after failed guesses the owner is told at the next login how many and from where`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "LOGOUT")
        let eve = scene.arrives("eve", at: "eve@evil.example")
        for _ in 1...3 {
            scene.says(eve, "LOGIN alice wrong-horse")
            try await scene.sees("-eve- Wrong account")
        }
        let mallory = scene.arrives("mallory")
        scene.clock.advance(by: .seconds(60))
        scene.says(mallory, "LOGIN alice wrong-horse")
        try await scene.sees("-mallory- Wrong account")
        try await scene.logsIn(alice)
        let line = try await scene.sees("-alice- 4 wrong passwords were tried for your account since your last login")
        #expect(line.contains("from evil.example on testnet (3), mallory.example on testnet (1)."))
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
        #expect(try await !scene.unread().contains { $0.contains("wrong password") })
    }

    // MARK: E-mail address and name

    @Test func `EMAIL shows the address to its owner and changes it for the password`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        try await scene.registers(scene.arrives("bob"))
        scene.says(alice, "EMAIL")
        try await scene.sees("-alice- Your e-mail address is alice@example.org;")
        scene.says(alice, "EMAIL alice@example.net wrong-horse")
        try await scene.sees("-alice- That is not your password.")
        scene.says(alice, "EMAIL BOB@example.org correct-horse")
        try await scene.sees("-alice- That e-mail address is taken")
        scene.says(alice, "EMAIL Alice@example.net correct-horse")
        try await scene.sees("-alice- Your e-mail address is now Alice@example.net.")
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice, "alice@EXAMPLE.net")
    }

    @Test func `PROFILE shows the name and changes it; a sentence is a question`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "PROFILE NAME Alice Pleasance Liddell")
        try await scene.sees("-alice- alice, registered 2026-09-21 14:13 UTC, name: Alice Pleasance Liddell.")
        scene.says(alice, "profile name")
        try await scene.sees("-alice- alice, registered 2026-09-21 14:13 UTC, name: none.")
        for text in [
            "profile my own Python code", "email me the result", "drop the table users", "sessions of the UN in 1999",
        ] {
            scene.says(alice, text)
            try await scene.sees("alice <bot> An answer.")
        }
    }

    // MARK: Sessions

    @Test func `a new login is told to the older ones, SESSIONS lists them and ends others`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        let phone = scene.arrives("alice_phone")
        scene.says(phone, "LOGIN alice correct-horse")
        let line = try await scene.sees("-alice- alice is now also logged in as alice_phone!alice_phone@alice_phone")
        #expect(line.contains("/msg bot SESSIONS END ALL"))
        try await scene.sees("-alice_phone- You are logged in as alice.")
        scene.clock.advance(by: .seconds(120))
        scene.says(alice, "SESSIONS")
        try await scene.sees("-alice- 1. alice!alice@alice.example on testnet, since ")
        try await scene.sees("-alice- 2. alice_phone!alice_phone@alice_phone.example on testnet")
        scene.says(alice, "SESSIONS END 1")
        try await scene.sees("-alice- There is no such other login.")
        scene.says(alice, "SESSIONS END 2")
        try await scene.sees("-alice_phone- This login to alice was ended from another one.")
        scene.says(phone, "WHOAMI")
        try await scene.sees("-alice_phone- You are not logged in.")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        try await scene.sees("-alice- You are logged in nowhere else; this login ends in 7 days at the latest.")
    }

    // MARK: Drop

    @Test func `DROP asks again, then deletes the account and everything kept with it`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        let phone = scene.arrives("alice_phone")
        try await scene.logsIn(phone, "alice")
        scene.says(alice, "a canary of alice", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "DROP wrong-horse")
        try await scene.sees("-alice- That is not your password.")
        scene.says(alice, "DROP correct-horse")
        try await scene.sees("-alice- This deletes the account alice and its 1 exchange, for good.")
        let code = "K7M2"
        await scene.bot.replaceDropCodes(with: code)
        // Only the visit that asked, and only for five minutes.
        scene.says(phone, "DROP \(code)")
        try await scene.sees("-alice_phone- That is not your password.")
        scene.clock.advance(by: .seconds(300))
        scene.says(alice, "DROP \(code)")
        try await scene.sees("-alice- That is not your password.")
        scene.says(alice, "DROP correct-horse")
        let again = try await scene.sees("-alice- This deletes the account alice and its 1 exchange, for good.")
        scene.says(alice, "drop \(try #require(again.split(separator: " ").last))")
        try await scene.sees("-alice_phone- The account alice was deleted from another login")
        try await scene.sees("-alice- The account alice and its 1 exchange are deleted, and you are logged out.")
        scene.says(alice, "LOGIN correct-horse")
        try await scene.sees("-alice- Wrong account or password.")
        await scene.ends()
    }

    @Test(arguments: ["AN23", "2HER", "BE57", "THE7", "US99", "WXYZ", "2345"])
    func `a code confirms DROP also where it looks like a word of talk`(code: String) async throws {
        for line in ["DROP \(code)", "drop \(code.lowercased())"] {
            let scene = try await Scene()
            let alice = try await registered(in: scene)
            scene.says(alice, "DROP correct-horse")
            try await scene.sees("-alice- This deletes the account alice")
            await scene.bot.replaceDropCodes(with: code)
            scene.says(alice, line)
            try await scene.sees("-alice- The account alice and its 0 exchanges are deleted")
            #expect(scene.questions == [])
        }
    }

    @Test func `what is asked when the account goes is answered nowhere`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.api.answer(by: nil)
        scene.says(alice, "too late?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.says(alice, "DROP correct-horse")
        let line = try await scene.sees("-alice- This deletes the account alice")
        scene.says(alice, "DROP \(try #require(line.split(separator: " ").last))")
        try await scene.sees("-alice- The account alice and its 1 exchange are deleted")
        scene.api.asked[0].answer("Too late.")
        scene.api.answer(by: ScriptedCompletions.saying("An answer."))
        #expect(try await !scene.unread().contains { $0.contains("Too late.") })
    }

    // MARK: From the command line

    @Test func `a login ends at its next line when the account was disabled, deleted or given another password`()
        async throws
    {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        let name = try #require(AccountName("alice"))
        _ = try await scene.store.setDisabled(true, name)
        scene.says(alice, "am I still here?", in: "#confab")
        try await scene.sees("-alice- The operator closed your login to alice or changed its password.")
        scene.says(alice, "LOGIN correct-horse")
        try await scene.sees("-alice- The account alice is closed.")
        _ = try await scene.store.setDisabled(false, name)
        try await scene.logsIn(alice)
        let id = try #require(try await scene.store.credentials(for: "alice")).account.id
        _ = try await scene.store.changePassword(hash: "none", of: id)
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- The operator closed your login to alice or changed its password.")
        try await scene.settle()
        #expect(scene.questions == [])
    }
}

extension Bot {
    fileprivate func replaceDropCodes(with code: String) {
        for (visit, drop) in memory.drops { memory.drops[visit] = (code, drop.askedAt) }
    }
}
