import Accounts
import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue
@testable import Passwords

/// Crowds of enemies: what they cost is counted, not timed.
@Suite struct AbuseTests {
    @Test func `a thousand wrong passwords from fifty nicks cost few hashes, and the owner notices nothing`()
        async throws
    {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let before = await scene.passwords.runs
        let enemies = (1...50).map { scene.arrives("enemy\($0)") }
        for _ in 1...20 {
            for enemy in enemies { scene.says(enemy, "LOGIN alice wrong-horse") }
            try await scene.settle()
            scene.clock.advance(by: .seconds(1))
        }
        #expect(await scene.passwords.runs - before <= 150)
        scene.says(alice, "am I still here?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        // And gets in again, from where she registered, while it goes on.
        scene.says(alice, "LOGOUT")
        for enemy in enemies { scene.says(enemy, "LOGIN alice wrong-horse") }
        try await scene.logsIn(alice)
    }

    @Test func `five hundred REGISTERs make as many accounts as may be made`() async throws {
        let scene = try await Scene { $0.accounts.limits.registrationsOverall = 12 }
        let before = await scene.passwords.runs
        for number in 1...500 {
            scene.says(scene.person("new\(number)"), "REGISTER correct-horse new\(number)@example.org")
        }
        #expect(
            await eventually {
                scene.link.transcript.count { $0.contains("Too many") || $0.contains("Registered") } == 500
            })
        #expect(try await scene.store.accountRecords().count <= 12)
        #expect(await scene.passwords.runs - before <= 12)
    }

    @Test func `a bot that lost its nick takes no password until it has it again`() async throws {
        let scene = try await Scene { $0.ownNicks = ["Bot", "bot-2"] }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "LOGOUT")
        scene.happens(.ownNick(scene.nick("bot_")))
        let before = await scene.passwords.runs
        for words in [
            "LOGIN correct-horse", "REGISTER correct-horse a@example.org", "PASSWORD correct-horse new-horse",
        ] {
            scene.says(alice, words)
            try await scene.sees("-alice- I lost my nick and take no passwords until I have it again.")
        }
        #expect(await scene.passwords.runs == before)
        scene.happens(.ownNick(scene.nick("bot-2")))
        try await scene.logsIn(alice)
    }

    @Test func `a known and an unknown name cost one hash each and are answered in the same words`() async throws {
        let scene = try await Scene {
            $0.accounts.limits.guessesPerHost = 1000
            $0.accounts.limits.guessesOverall = 1000
        }
        try await scene.registers(scene.arrives("alice"))
        let eve = scene.arrives("eve")
        var answers: Set<String> = []
        for number in 1...20 {
            scene.clock.advance(by: .seconds(1000))
            for name in ["alice", "nobody\(number)"] {
                let before = await scene.passwords.runs
                scene.says(eve, "LOGIN \(name) wrong-horse")
                answers.insert(try await scene.sees("-eve- "))
                #expect(await scene.passwords.runs - before == 1)
            }
        }
        #expect(answers == ["-eve- Wrong account or password."])
    }
}
