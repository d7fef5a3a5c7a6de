import Domain
import Runtime
import TestKit
import Testing

@testable import Dialogue

/// What many people who come and go cost the bot, a person.
@Suite(.timeLimit(.minutes(3))) struct MultitudeTests {
    /// Has so many come, all but one be renamed, and all quit; returns how long each took in all.
    private func cost(of count: Int, _ events: (Scene, [Person]) -> [ChatEvent.Kind]) async throws -> Duration {
        let scene = try await Scene()
        let people = (0..<count).map { scene.person("guest\($0)") }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let kinds = events(scene, people)
        let begin = Time.system.now()
        for kind in kinds { scene.happens(kind) }
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are ", within: .seconds(100))
        let cost = Time.system.now() - begin
        await scene.ends()
        return cost
    }

    @Test(
        "is the same in a crowd of ten thousand as in one of two thousand, whatever they do",
        arguments: ["join", "quit", "rename", "part", "names", "seen", "account"])
    func crowd(what: String) async throws {
        let events = { @Sendable (scene: Scene, people: [Person]) -> [ChatEvent.Kind] in
            let channel = scene.channel("#confab")
            let joins = people.map { ChatEvent.Kind.joined($0, channel) }
            switch what {
            case "join": return joins
            case "quit": return joins + people.map { .quit($0.nick) }
            case "rename": return joins + people.map { .renamed($0, to: scene.nick("\($0.nick)_")) }
            case "part": return joins + people.map { .left($0.nick, channel) }
            case "names": return [.members(channel, people.map { Member($0.nick, person: $0) })]
            case "seen": return joins + people.map { .seen($0, isBot: false) }
            default: return joins + people.map { .servicesAccount($0) }
            }
        }
        let few = try await cost(of: 2000, events)
        let many = try await cost(of: 10_000, events)
        print("crowd \(what): \(few) \(many)")
        #expect(many < few * 12 + .milliseconds(200))
    }
}
