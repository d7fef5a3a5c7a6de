import Domain
import Passwords
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Many people at once.
@Suite struct CrowdTests {
    @Test func `a thousand people who ask at once are all asked for at once, and each gets their own answer`()
        async throws
    {
        let scene = try await Scene { $0.maxInFlight = 1000 }
        let hash = try await PasswordHasher(strength: .cheapest).hash(Secret("correct-horse"))
        let people = (1...1000).map { scene.arrives("user\($0)") }
        try await withThrowingTaskGroup { group in
            for person in people {
                let name = try #require(AccountName(person.nick.spelling))
                let new = NewAccount(
                    name: name, email: nil, passwordHash: hash, registeredAt: Timestamp(milliseconds: 0))
                group.addTask { _ = try await scene.store.createAccount(new) }
            }
            try await group.waitForAll()
        }
        // As many at a time as the hasher takes.
        for start in stride(from: 0, to: people.count, by: 8) {
            for person in people[start..<start + 8] { scene.says(person, "LOGIN correct-horse") }
            #expect(await eventually { scene.link.transcript.count == start + 8 })
        }
        scene.api.answer(by: nil)
        for person in people { scene.says(person, "question of \(person.nick)", in: "#confab") }
        #expect(await eventually { scene.api.asked.count == 1000 })
        for asked in scene.api.asked { asked.answer("Answer to the \(asked.prompt.question).") }
        #expect(await eventually { scene.link.transcript.count { $0.hasPrefix("#confab") } == 1000 })
        let said = Set(scene.link.transcript)
        for person in people {
            #expect(said.contains("#confab <bot> \(person.nick): Answer to the question of \(person.nick)."))
        }
        await scene.ends()
    }
}
