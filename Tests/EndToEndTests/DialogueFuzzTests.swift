import FoundationEssentials
import Runtime
import TestKit
import Testing

@Suite("Dialogues with odd numbers, tags, batches and orders")
struct DialogueFuzzTests {
    /// `CONFAB_TEST_DIALOGUE_SECONDS` names another time, ten minutes for instance, and `CONFAB_TEST_DIALOGUE_SEED` another run.
    private static let time = Duration.seconds(number("CONFAB_TEST_DIALOGUE_SECONDS") ?? 20)
    private static let seed = UInt64(number("CONFAB_TEST_DIALOGUE_SEED") ?? 20_261_201)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test("neither end the bot nor hold it up, and no line goes to the wrong person")
    func dialogues() async throws {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI { Self.reply(to: $0) }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, channels: [FuzzedTown.channel], api: api,
            rest: """
                [limits.account]
                per_minute = 0
                [accounts]
                hash_memory_mib = 8
                hash_passes = 1
                registrations_overall = 1000
                guesses_per_host = 100000
                guesses_overall = 100000
                [log]
                level = "error"
                """)
        let network = try await server.connection()
        try await network.welcome(
            capabilities: "batch message-tags server-time draft/multiline=max-bytes=4096 cap-notify")
        try await network.admit("confab", to: FuzzedTown.channel)
        var town = FuzzedTown(network, seed: Self.seed)
        let end = Time.system.now() + Self.time
        var steps = 0
        var early: Int?
        while Time.system.now() < end {
            for _ in 0..<50 { try await town.step() }
            try await town.settle("after \(steps)")
            steps += 50
            if early == nil, Time.system.now() > end - Self.time / 2 { early = bot.program.memory("RssAnon") }
            let lately = town.misdirected.isEmpty ? "" : town.lately.joined(separator: "\n")
            try #require(
                town.misdirected.isEmpty, "seed \(Self.seed), \(steps) steps: \(town.misdirected)\n\(lately)")
        }
        // However fast the steps go by: answers take their time.
        let leastDelivered = Self.time / .seconds(2)
        #expect(Double(town.delivered) > leastDelivered, "\(town.delivered) lines of one's own in \(steps) steps")
        let late = try #require(bot.program.memory("RssAnon"))
        #expect(late - (early ?? late) < 24 * 1024, "\(early ?? 0) KiB at half time, \(late) KiB after \(steps) steps")
        // Whoever comes now is served as on the first day, once the bouncer has said all that was to be played back.
        network.send(":***!znc@znc.in PRIVMSG \(FuzzedTown.channel) :Playback Complete.")
        network.send(":guest!g@guest.test JOIN \(FuzzedTown.channel)")
        network.send(":guest!g@guest.test PRIVMSG confab :REGISTER correct-horse guest@example.org")
        _ = try await network.expect("the registration") { $0.target == "guest" && $0.text.hasPrefix("Registered") }
        network.send(":guest!g@guest.test PRIVMSG \(FuzzedTown.channel) :guest at last")
        _ = try await network.expect("the answer") {
            $0.target == FuzzedTown.channel && $0.text.contains("guest at last")
        }
        #expect(server.connectionCount == 1)
        #expect(await bot.stop() == 0)
    }

    /// What was asked, now and then with numbers or an end that no API should send.
    private static func reply(to request: APIRequest) -> APIReply {
        let question = request.question
        let usages = [
            "{\"prompt_tokens\":9000000000000000000,\"completion_tokens\":9000000000000000000}",
            "{\"prompt_tokens\":-5,\"completion_tokens\":1e400}",
            "{\"prompt_tokens\":\"7\",\"completion_tokens\":null}", "null",
        ]
        switch question.utf8.reduce(0, { ($0 &* 31) &+ Int($1) }) & 15 {
        case 0..<8: return .text("You said: \(question)")
        case 8..<12:
            let usage = usages[question.utf8.count % usages.count]
            let text = "You said: \(question)".replacing("\"", with: "'").replacing("\\", with: "/")
                .replacing("\n", with: " ")
            let body =
                "{\"choices\":[{\"message\":{\"content\":\"\(text)\"},\"finish_reason\":\"stop\"}],\"usage\":\(usage)}"
            return .status(200, body: body)
        case 12: return .status(429, body: "{}", headers: ["Retry-After": "99999999999999999999"])
        case 13: return .cut(after: "You said: \(question)")
        case 14: return .pieces(Array(repeating: "You said: \(question). ", count: 12), every: .milliseconds(5))
        default: return .reset
        }
    }
}
