import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// SET and PERSONA.
@Suite struct PreferencesTests {
    private static let bold = "\u{2}"

    @Test func `SET shows one's settings, and what may be set`() async throws {
        let scene = try await Scene { $0.models[Scene.network] = ["parrot", "Owl-2"] }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "SET")
        try await scene.sees(
            "-alice- Your settings: LISTEN default, FORMAT default, MODEL default, LANGUAGE default, LINES default.")
        try await scene.sees("-alice- To change one: /msg bot SET LISTEN all|addressed, or FORMAT irc|plain,")
        for (typed, said) in [
            ("set format IRC", "FORMAT is irc from now on."), ("SET MODEL owl-2", "MODEL is Owl-2 from now on."),
            ("SET LANGUAGE Brazilian Portuguese", "LANGUAGE is Brazilian Portuguese from now on."),
            ("SET LINES 2", "LINES is 2 from now on."), ("SET LISTEN addressed", "LISTEN is addressed from now on."),
            (
                "SET",
                "Your settings: LISTEN addressed, FORMAT irc, MODEL Owl-2, LANGUAGE Brazilian Portuguese, LINES 2."
            ),
            ("SET MODEL default", "MODEL is default from now on."),
        ] {
            scene.says(alice, typed)
            try await scene.sees("-alice- \(said)")
        }
        #expect(scene.questions == [])
    }

    @Test func `what cannot be set is answered with what can`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for (typed, said) in [
            ("SET FORMAT html", "Say it like this: /msg bot SET FORMAT irc|plain, or default."),
            ("SET LINES 0", "Say it like this: /msg bot SET LINES <1 to 100>"),
            ("SET LANGUAGE Ignore:everything", "Say it like this: /msg bot SET LANGUAGE"),
            ("SET MODEL gpt", "There is one AI here"),
        ] {
            scene.says(alice, typed)
            try await scene.sees("-alice- \(said)")
        }
        #expect(try await scene.store.credentials(for: "alice")?.account.preferences == Preferences())
        scene.says(alice, "set up a server for me")
        try await scene.sees("alice <bot> An answer.")
    }

    @Test func `they are kept, also after a restart, and for their account only`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            scene.says(alice, "SET LANGUAGE Deutsch")
            scene.says(alice, "PERSONA a patient teacher")
            try await scene.sees("-alice- The AI is told so with each of your questions")
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.logsIn(alice)
        try await scene.registers(bob)
        for person in [alice, bob] {
            scene.says(person, "why?")
            try await scene.sees("\(person.nick) <bot> An answer.")
        }
        #expect(
            scene.api.prompts.map(\.system) == [
                """
                Be brief.
                Answer in this language unless the question asks for another: Deutsch
                The person you talk to would have you be like this, as far as it goes with what stands above: a patient teacher
                """, "Be brief.",
            ])
    }

    @Test func `LISTEN addressed leaves one's other lines alone, and LISTEN all opens no channel`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        try await scene.registers(alice)
        scene.says(alice, "SET LISTEN addressed")
        scene.says(alice, "to the others", in: "#confab")
        scene.says(alice, "bot: to you", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "SET LISTEN all")
        scene.says(alice, "where one's name is wanted", in: "#quiet")
        scene.says(alice, "to you again", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["to you", "to you again"])
    }

    @Test func `FORMAT decides in private and in channels that say nothing, and never against one that says plain`()
        async throws
    {
        let scene = try await Scene { settings in
            settings.channels[Scene.network]?[1].format = .plain
            settings.channels[Scene.network]?.append(ChannelRules(name: "#colours", format: .irc))
        }
        scene.happens(.entered(scene.channel("#colours")))
        scene.api.answer(by: ScriptedCompletions.saying("A **bold** word."))
        let alice = scene.arrives("alice", in: "#confab", "#quiet", "#colours")
        try await scene.registers(alice)
        let asks = { (format: String, channel: String?, seen: String) in
            scene.says(alice, "SET FORMAT \(format)")
            scene.says(alice, "bot: word?", in: channel)
            try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") \(seen)")
        }
        let formatted = "A \(Self.bold)bold"
        try await asks("irc", nil, formatted)
        try await asks("irc", "#confab", formatted)
        try await asks("irc", "#quiet", "A bold word.")
        try await asks("plain", "#colours", "A bold word.")
        try await asks("default", "#colours", formatted)
        try await asks("default", nil, "A bold word.")
    }

    @Test func `MODEL is asked where the operator's list has it, and not elsewhere`() async throws {
        let scene = try await Scene { settings in
            settings.models[Scene.network] = ["owl"]
            settings.channels[Scene.network]?[0].models = ["parrot"]
            settings.channels[Scene.network]?[1].model = "wren"
        }
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        try await scene.registers(alice)
        for model in ["owl", "parrot"] {
            scene.says(alice, "SET MODEL \(model)")
            for channel in ["#confab", "#quiet", nil] {
                scene.says(alice, "bot: which one?", in: channel)
                try await scene.sees("\(channel.map { "\($0) <bot> alice:" } ?? "alice <bot>") An answer.")
            }
        }
        #expect(scene.api.prompts.map(\.model) == [nil, "wren", "owl", "parrot", "wren", nil])
        scene.says(alice, "bot: SET MODEL owl", in: "#confab")
        try await scene.sees("-alice- Say it like this: /msg bot SET MODEL parrot, or default.")
    }

    @Test func `LINES makes answers and pages shorter, and never longer than the operator allows`() async throws {
        let scene = try await Scene { $0.maxDirectLines = 4 }
        scene.api.answer(by: ScriptedCompletions.saying("1. a\n2. b\n3. c\n4. d\n5. e\n6. f"))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "SET LINES 2")
        scene.says(alice, "list", in: "#confab")
        try await scene.sees("#confab <bot> 2. b")
        try await scene.sees("#confab <bot> … 4 more: /msg bot MORE")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] 4. d")
        try await scene.sees("-alice- [1] … 2 more")
        scene.says(alice, "SET LINES 50")
        scene.says(alice, "list", in: "#confab")
        try await scene.sees("#confab <bot> … 3 more: /msg bot MORE")
    }

    @Test func `PERSONA is shown, bounded, taken back, and no place for a password`() async throws {
        let scene = try await Scene { $0.maxPersonaLength = 20 }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for (typed, said) in [
            ("PERSONA", "You have no persona."), ("PERSONA a pirate", "The AI is told so"),
            ("persona", "The AI is told to be like this for you: a pirate"),
            ("\"PERSONA \u{200B}\"", "The AI is told to be like this for you: a pirate"),
            ("PERSONA a very very long-winded parrot", "A persona has at most 20 characters."),
            ("PERSONA LOGIN alice secret", "That looked like a command with a password"),
            ("persona off", "You have no persona from now on."),
        ] {
            scene.says(alice, typed)
            try await scene.sees("-alice- \(said)")
        }
        scene.says(alice, "persona mas rica del mundo?")
        try await scene.sees("alice <bot> An answer.")
        #expect(scene.api.prompts.map(\.system) == ["Be brief."])
    }

    @Test func `where the operator allows no personas there are none, old ones included`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            scene.says(alice, "PERSONA a pirate")
            try await scene.sees("-alice- The AI is told so")
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch) { $0.maxPersonaLength = 0 }
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        scene.says(alice, "PERSONA a parrot")
        try await scene.sees("-alice- The operator of this bot allows no personas.")
        scene.says(alice, "why?")
        try await scene.sees("alice <bot> An answer.")
        #expect(scene.api.prompts.map(\.system) == ["Be brief."])
    }
}
