import Domain
import TestKit
import Testing

@testable import Dialogue

/// The way of everyone: register, ask, read back, leave.
@Suite struct FirstVisitTests {
    @Test func `someone registers, asks in the channel and in private, reads it back and logs out`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")

        scene.says(alice, "register correct-horse alice@example.org Alice Liddell")
        try await scene.sees("-alice- Registered: your account is alice, and you are logged in.")

        scene.api.answer(by: ScriptedCompletions.saying("**Paris**, of course."))
        scene.says(alice, "What is the capital of France?", in: "#confab")
        try await scene.sees("#confab <bot> alice: Paris, of course.")

        scene.api.answer(by: ScriptedCompletions.saying("Madrid."))
        scene.says(alice, "And of Spain?")
        try await scene.sees("alice <bot> Madrid.")

        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- Your last 2 exchanges, oldest first:")
        try await scene.sees("-alice- [1] 2026-09-21 14:13 UTC, #confab on testnet")
        try await scene.sees("-alice- [1] Q: What is the capital of France?")
        try await scene.sees("-alice- [1] A: Paris, of course.")
        try await scene.sees("-alice- [2] 2026-09-21 14:13 UTC, in private on testnet")
        try await scene.sees("-alice- [2] Q: And of Spain?")
        try await scene.sees("-alice- [2] A: Madrid.")
        try await scene.sees("-alice- End of history.")

        scene.says(alice, "WHOAMI")
        try await scene.sees(
            "-alice- You are logged in as alice since 2026-09-21 14:13 UTC, as alice!alice@alice.example")
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out of alice.")
        scene.says(alice, "still there?", in: "#confab")
        #expect(try await scene.unread() == [])
        #expect(scene.questions == ["What is the capital of France?", "And of Spain?"])
        await scene.ends()
    }
}
