import Domain
import TestKit
import Testing

@testable import Dialogue
@testable import Storage

/// Answers that come while the store takes nothing.
@Suite struct UnstoredTests {
    /// Several pages of the database.
    private static let long = String(repeating: "A sentence of a long answer. ", count: 600)

    /// From now on the database may have no page more; nil for as many as it likes.
    private func limit(_ scene: Scene, isFull: Bool) async throws {
        try await scene.store.write { (connection) throws(StoreFailure) in
            // SQLite takes the present size for the least.
            if isFull { try connection.run("PRAGMA max_page_count = 1") }
            if !isFull { try connection.run("PRAGMA max_page_count = 1000000") }
        }
    }

    private func asked(_ scene: Scene) async throws -> Person {
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        return alice
    }

    @Test func `is said when there is room again, and its asker is told meanwhile`() async throws {
        let scene = try await Scene()
        let alice = try await asked(scene)
        try await limit(scene, isFull: true)
        scene.api.asked[0].answer(Self.long)
        try await scene.sees("-alice- Your answer is there, but I cannot keep records at the moment.")
        scene.says(alice, "bot: RETRY", in: "#confab")
        try await scene.sees("-alice- Your last question is still being answered.")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- [1] (the answer is not there yet)")
        #expect(!scene.link.transcript.contains { $0.contains("A sentence") })
        try await limit(scene, isFull: false)
        #expect(await scene.clock.turn { scene.link.transcript.contains { $0.contains("A sentence") } })
        #expect(try await scene.store.history(of: AccountID(1), last: 1).map(\.state) == [.answered])
        scene.says(alice, "STOP")
        try await scene.sees("-alice- You have no question under way")
    }

    @Test func `is kept and not said where its asker says STOP meanwhile`() async throws {
        let scene = try await Scene()
        let alice = try await asked(scene)
        try await limit(scene, isFull: true)
        scene.api.asked[0].answer(Self.long)
        try await scene.sees("-alice- Your answer is there")
        scene.says(alice, "STOP")
        try await scene.sees("-alice- Stopped.")
        try await limit(scene, isFull: false)
        #expect(
            await scene.clock.turn {
                (try? await scene.store.history(of: AccountID(1), last: 1).map(\.state)) == [.answered]
            })
        #expect(try await scene.unread() == [])
    }

    @Test func `is tried once more when the bot ends, and then given up`() async throws {
        for isFull in [false, true] {
            let scene = try await Scene()
            _ = try await asked(scene)
            try await limit(scene, isFull: true)
            scene.api.asked[0].answer(Self.long)
            try await scene.sees("-alice- Your answer is there")
            try await limit(scene, isFull: isFull)
            let winding = Task { await scene.bot.wind(down: .seconds(2)) }
            let isOver: @Sendable () async -> Bool = {
                let hasStored = (try? await scene.store.history(of: AccountID(1), last: 1).map(\.state)) == [.answered]
                let isStopped = await scene.bot.turns.hasEnded
                return isStopped || hasStored
            }
            #expect(await scene.clock.turn(until: isOver))
            await winding.value
            let states = try await scene.store.history(of: AccountID(1), last: 1).map(\.state)
            #expect(states == [isFull ? .pending : .answered])
            await scene.ends()
        }
    }

    @Test func `of a database that another program holds is stored when it lets go`() async throws {
        let scene = try await Scene()
        _ = try await asked(scene)
        let other = try Connection(path: scene.scratch.file("state/confab.sqlite"), for: .writing)
        try other.run("BEGIN IMMEDIATE")
        scene.api.asked[0].answer("It is so.")
        try await scene.sees("-alice- Your answer is there")
        try other.run("COMMIT")
        #expect(await scene.clock.turn { scene.link.transcript.contains("#confab <bot> alice: It is so.") })
    }
}
