import Accounts
import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue
@testable import Passwords

/// A password said in a channel opens nothing any more, and nobody but its owner gains or loses by it.
@Suite struct ExposedPasswordTests {
    private func registered(in scene: Scene) async throws -> Person {
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        return alice
    }

    @Test(
        "whoever is logged in and says it keeps the login, and chooses a new one before the next",
        arguments: [
            "LOGIN correct-horse", "login alice correct-horse", "/msg bot login correct-horse",
            "REGISTER correct-horse alice@example.org", "PASSWORD correct-horse other-horse", "lgoin correct-horse",
        ])
    func loggedIn(_ line: String) async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, line, in: "#confab")
        try await scene.sees("-alice- That looked like a password")
        try await scene.sees("-alice- It was the password of alice, and it opens nothing any more.")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        let reader = scene.arrives("reader")
        scene.says(reader, "LOGIN alice correct-horse")
        try await scene.sees("-reader- This password was said in a channel, so it opens nothing any more.")
        scene.says(reader, "PASSWORD alice correct-horse stolen-horse")
        try await scene.sees("-reader- You are not logged in.")
        scene.says(alice, "PASSWORD correct-horse battery-staple")
        try await scene.sees("-alice- alice has a new password")
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice, nil, "battery-staple")
    }

    @Test func `whoever says it before logging in changes it from the same address, and is logged in`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "LOGOUT")
        scene.says(alice, "login correct-horse", in: "#confab")
        let line = try await scene.sees("-alice- It was the password of alice")
        #expect(line.contains("/msg bot PASSWORD alice <old> <new>"))
        scene.says(alice, "LOGIN correct-horse")
        try await scene.sees("-alice- This password was said in a channel, so it opens nothing any more.")
        let reader = scene.arrives("reader")
        scene.says(reader, "PASSWORD alice correct-horse stolen-horse")
        try await scene.sees("-reader- You are not logged in.")
        scene.says(alice, "PASSWORD alice correct-horse battery-staple")
        try await scene.sees("-alice- alice has a new password, and all its other logins are over. You are logged in.")
    }

    @Test func `what is not the password closes nothing, whoever says it`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "login with hunter22", in: "#confab")
        scene.says(alice, "login bob hunter22", in: "#confab")
        try await scene.sees("-alice- That looked like a password")
        let eve = scene.arrives("eve")
        scene.says(eve, "login alice wrong-horse", in: "#confab")
        try await scene.sees("-eve- That looked like a password")
        try await scene.settle()
        #expect(try await scene.store.credentials(for: "alice")?.exposedBy == nil)
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
    }

    @Test func `words that can be no password cost no hash and count as no guess`() async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out")
        let before = await scene.passwords.runs
        for _ in 1...10 { scene.says(alice, "register alice@example.org alice tiny", in: "#confab") }
        try await scene.logsIn(alice)
        #expect(await scene.passwords.runs - before == 1)
    }

    @Test func `guessing in a channel is guessing`() async throws {
        let scene = try await Scene()
        _ = try await registered(in: scene)
        let eve = scene.arrives("eve")
        for number in 1...20 { scene.says(eve, "login alice wrong\(number)", in: "#confab") }
        #expect(await eventually { scene.memory.lines.contains { $0.contains("A password was not tried") } })
        #expect(scene.memory.lines.count { $0.contains("A wrong password") } <= 5)
        scene.says(eve, "LOGIN alice wrong-horse")
        try await scene.sees("-eve- Too many wrong passwords.")
    }

    @Test func `what guessing had to wait for is looked into when it may be`() async throws {
        let scene = try await Scene { $0.accounts.limits.guessesPerHost = 1 }
        _ = try await registered(in: scene)
        let owner = scene.arrives("owner", at: "owner@elsewhere.example")
        scene.says(owner, "login alice wrong-horse", in: "#confab")
        scene.says(owner, "login alice correct-horse", in: "#confab")
        #expect(await eventually { scene.memory.lines.contains { $0.contains("A password was not tried") } })
        #expect(try await scene.store.credentials(for: "alice")?.exposedBy == nil)
        #expect(await eventually { scene.clock.sleeperCount > 0 })
        scene.clock.advance(by: .seconds(600))
        try await scene.sees("-owner- It was the password of alice, and it opens nothing any more.")
    }

    @Test func `until it is looked into, whoever reads it and tries it does not get in`() async throws {
        let scene = try await Scene { $0.accounts.limits.guessesPerHost = 1 }
        _ = try await registered(in: scene)
        let owner = scene.arrives("owner", at: "owner@elsewhere.example")
        scene.says(owner, "login alice wrong-horse", in: "#confab")
        scene.says(owner, "login alice correct-horse", in: "#confab")
        #expect(await eventually { scene.memory.lines.contains { $0.contains("A password was not tried") } })
        let reader = scene.arrives("reader")
        scene.says(reader, "LOGIN alice correct-horse")
        try await scene.sees("-owner- It was the password of alice, and it opens nothing any more.")
        try await scene.sees("-reader- This password was said in a channel, so it opens nothing any more.")
    }

    @Test func `a reader who is as quick as the check does not get in either`() async throws {
        for line in ["login correct-horse", "correct-horse", "oops, correct-horse was for the bot"] {
            let scene = try await Scene(strength: PasswordHasher.Strength(memory: 4 << 20, passes: 1))
            let alice = try await registered(in: scene)
            let reader = scene.arrives("reader")
            scene.says(alice, line, in: "#confab")
            scene.says(reader, "LOGIN alice correct-horse")
            let answer = try await scene.sees("-reader- ")
            #expect(answer.hasPrefix("-reader- This password was said in a channel"), "\(line)")
        }
    }

    @Test func `nothing is taken for the password unchecked, however many lines come at once`() async throws {
        let scene = try await Scene(strength: PasswordHasher.Strength(memory: 4 << 20, passes: 1))
        let alice = try await registered(in: scene)
        for line in ["password: changeme123", "login: administrator", "passwd: changeme456"] {
            scene.says(alice, line, in: "#confab")
        }
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice)
        #expect(try await scene.store.credentials(for: "alice")?.exposedBy == nil)
    }

    @Test(
        "signs around it do not hide it, also of somebody not logged in",
        arguments: [
            "login <correct-horse>", "login alice:correct-horse",
            "login alice correct-horse;",
            "login correct-horse=", "login \"correct-horse\".", "login alice (correct-horse)",
            "LOGIN alice [correct-horse]", "pw=correct-horse",
        ])
    func signs(_ line: String) async throws {
        let scene = try await Scene()
        let alice = try await registered(in: scene)
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out")
        scene.says(alice, line, in: "#confab")
        try await scene.sees("-alice- It was the password of alice")
    }

    @Test func `who shares the host with whoever said it changes nothing, unless the account has logged in from there`()
        async throws
    {
        let scene = try await Scene()
        _ = try await registered(in: scene)
        let owner = scene.arrives("owner", at: "web@gateway.example")
        scene.says(owner, "login alice correct-horse", in: "#confab")
        try await scene.sees("-owner- It was the password of alice")
        for (nick, address) in [("owner", "web@gateway.example"), ("reader", "web@gateway.example")] {
            let person = nick == "owner" ? owner : scene.arrives(nick, at: address)
            scene.says(person, "PASSWORD alice correct-horse stolen-horse")
            try await scene.sees("-\(nick)- You are not logged in.")
        }
    }
}
