import Domain
import TestKit
import Testing

@testable import Dialogue

/// Logging in without a shared channel, where the server tells of people's leaving by itself.
@Suite struct WatchingTests {
    /// A network that watches, and somebody with an account who shares no channel.
    private func enter() async throws -> (scene: Scene, alice: Person) {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.happens(.left(alice.nick, scene.channel("#confab")))
        try await scene.sees("-alice- You left the last channel we share")
        scene.link.offerWatching()
        return (scene, alice)
    }

    private func awaitsAsking(_ scene: Scene, _ count: Int = 1) async {
        #expect(await eventually { scene.link.asked.filter { $0.hasPrefix("+") }.count == count })
    }

    private func logsIn(_ scene: Scene, _ alice: Person) async throws {
        scene.says(alice, "LOGIN correct-horse")
        await awaitsAsking(scene)
        scene.happens(.watched(alice.nick, alice))
        try await scene.sees("-alice- You are logged in as alice")
    }

    @Test func `someone watched logs in, asks, and is not known any more when gone`() async throws {
        let (scene, alice) = try await enter()
        try await logsIn(scene, alice)
        scene.says(alice, "what is new?")
        try await scene.sees("alice <bot>")
        scene.happens(.unwatched(alice.nick))
        // The same user and host; the server watches nobody now.
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- You are not logged in")
        #expect(scene.questions == ["what is new?"])
        #expect(scene.link.asked == ["+alice"])
    }

    @Test func `before the server has told, nothing is checked, and what is said meanwhile is heard afterwards`()
        async throws
    {
        let (scene, alice) = try await enter()
        scene.says(alice, "LOGIN correct-horse")
        scene.says(alice, "what is new?")
        await awaitsAsking(scene)
        #expect(try await scene.unread().isEmpty)
        scene.happens(.watched(alice.nick, nil))
        try await scene.sees("-alice- You are logged in as alice")
        try await scene.sees("alice <bot>")
        #expect(scene.questions == ["what is new?"])
    }

    @Test func `where the list is full or the nick is not there, LOGIN is refused, and REGISTER only registers`()
        async throws
    {
        let (scene, alice) = try await enter()
        scene.says(alice, "LOGIN correct-horse")
        await awaitsAsking(scene)
        scene.happens(.unwatched(alice.nick))
        try await scene.sees("-alice- I cannot log you in: we share no channel")
        let bob = scene.person("bob")
        scene.says(bob, "REGISTER another-horse bob@example.org")
        await awaitsAsking(scene, 2)
        scene.happens(.unwatched(bob.nick))
        try await scene.sees("-bob- Registered: your account is bob. You are not logged in")
    }

    @Test func `REGISTER logs in whoever is watched`() async throws {
        let (scene, _) = try await enter()
        let bob = scene.person("bob")
        scene.says(bob, "REGISTER another-horse bob@example.org")
        await awaitsAsking(scene)
        scene.happens(.watched(bob.nick, bob))
        try await scene.sees("-bob- Registered: your account is bob, and you are logged in.")
    }

    @Test func `nothing is done for someone whose nick another turns out to have`() async throws {
        let (scene, alice) = try await enter()
        scene.says(alice, "LOGIN correct-horse")
        await awaitsAsking(scene)
        let impostor = scene.person("alice", at: "eve@elsewhere.example")
        scene.happens(.watched(impostor.nick, impostor))
        #expect(try await scene.unread().isEmpty)
        scene.says(impostor, "HISTORY")
        try await scene.sees("-alice- You are not logged in")
        #expect(scene.link.asked == ["+alice", "-alice"])
    }

    @Test func `an impostor at another address ends the login, whatever the server tells`() async throws {
        let (scene, alice) = try await enter()
        try await logsIn(scene, alice)
        scene.says(scene.person("alice", at: "eve@elsewhere.example"), "HISTORY")
        try await scene.sees("-alice- You are not logged in")
        #expect(await eventually { scene.link.asked == ["+alice", "-alice"] })
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- You are not logged in")
    }

    @Test func `nobody is watched longer than for a login`() async throws {
        let (scene, alice) = try await enter()
        scene.says(alice, "LOGIN wrong-horse")
        await awaitsAsking(scene)
        scene.happens(.watched(alice.nick, alice))
        try await scene.sees("-alice- Wrong account or password")
        #expect(await eventually { scene.link.asked == ["+alice", "-alice"] })
        scene.says(alice, "LOGIN correct-horse")
        await awaitsAsking(scene, 2)
        scene.happens(.watched(alice.nick, alice))
        try await scene.sees("-alice- You are logged in as alice")
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out")
        #expect(await eventually { scene.link.asked == ["+alice", "-alice", "+alice", "-alice"] })
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- You are not logged in")
    }

    @Test func `someone watched who comes to a channel is followed there, and after a change of nick only there`()
        async throws
    {
        let (scene, alice) = try await enter()
        try await logsIn(scene, alice)
        scene.happens(.joined(alice, scene.channel("#confab")))
        scene.happens(.renamed(alice, to: scene.nick("ally")))
        scene.happens(.unwatched(alice.nick))
        let ally = scene.person("ally", at: alice.address)
        scene.says(ally, "WHOAMI")
        try await scene.sees("-ally- You are logged in as alice")
        scene.happens(.left(ally.nick, scene.channel("#confab")))
        try await scene.sees("-ally- You left the last channel we share")
    }

    @Test func `a new connection knows nothing of whom the old one watched`() async throws {
        let (scene, alice) = try await enter()
        try await logsIn(scene, alice)
        let bob = scene.person("bob")
        scene.says(bob, "LOGIN alice correct-horse")
        await awaitsAsking(scene, 2)
        scene.reconnect()
        scene.happens(.watched(bob.nick, bob))
        for person in [alice, bob] {
            scene.says(person, "HISTORY")
            try await scene.sees("-\(person.nick)- You are not logged in")
        }
    }
}
