import FoundationEssentials
import TestKit
import Testing

@Suite("Mutated lines")
struct MutationTests {
    /// `CONFAB_TEST_MUTATED_LINES` names another number, a million for instance.
    private static let lines =
        ProcessInfo.processInfo.environment["CONFAB_TEST_MUTATED_LINES"].flatMap { Int($0) } ?? 20_000

    @Test("leave the bot as it was: each thousand is followed by a question and its answer, and memory stays flat")
    func mutations() async throws {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI { .text("echo \($0.question)") }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: ConfabProcess.brisk, channels: ["#lobby", "#home"], api: api,
            rest: "[limits.account]\nper_minute = 0\n[log]\nlevel = \"error\"")
        let network = try await server.connection()
        try await network.welcome(capabilities: "batch message-tags draft/multiline=max-bytes=4096")
        for channel in ["#lobby", "#home"] { try await network.admit("confab", to: channel) }
        network.send(":carol!c@c JOIN #home")
        network.send(":carol!c@c PRIVMSG confab :REGISTER correct-horse carol@example.org")
        _ = try await network.expect("the registration") { $0.text.hasPrefix("Registered") }
        var dice = SeededGenerator(seed: 20_260_101)
        let rounds = Self.lines / 1000
        var early: Int?
        for round in 0..<rounds {
            let question = ":carol!c@c PRIVMSG confab :round \(round)\r\n"
            network.send(bytes: MutatedLines.next(1000, &dice) + Array(question.utf8))
            _ = try await network.expect("the answer of round \(round)") { $0.text == "echo round \(round)" }
            if round == rounds / 4 { early = bot.program.memory("RssAnon") }
        }
        let late = try #require(bot.program.memory("RssAnon"))
        #expect(late - (early ?? 0) < 16 * 1024, "\(early ?? 0) KiB after a quarter, \(late) KiB at the end")
        #expect(server.connectionCount == 1)
        #expect(await bot.stop() == 0)
    }

    @Test("of a kind without end (tokens, capabilities, lists of names and of channels' modes) fill no memory")
    func endless() async throws {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(in: scratch, port: server.port, api: api, rest: "[log]\nlevel = \"error\"")
        let network = try await server.connection()
        try await network.welcome(support: "CHANTYPES=# CHANMODES=b,k,l,cimnpst EXTBAN=,c")
        try await network.admit("confab", to: "#confab")
        let filler = String(repeating: "z", count: 200)
        func send(_ rounds: Range<Int>) async throws {
            for round in rounds {
                network.send(
                    """
                    :irc.test 005 confab A\(round)=\(filler) B\(round)=\(filler) :are supported\r
                    :irc.test CAP confab NEW :c\(round)/\(filler) d\(round)/\(filler)\r
                    :irc.test 353 confab = #e\(round)\(filler) :f\(round) g\(round)\r
                    :irc.test MODE #h\(round)\(filler) +c
                    """)
            }
            try await network.ping("after \(rounds.upperBound)")
        }
        try await send(0..<2000)
        let early = try #require(bot.program.memory("RssAnon"))
        try await send(2000..<22_000)
        let late = try #require(bot.program.memory("RssAnon"))
        #expect(late - early < 8 * 1024, "\(early) KiB early, \(late) KiB late")
        #expect(await bot.stop() == 0)
    }
}
