import Glibc
import TestKit
import Testing

/// The bot is killed while answers wait to be said.
@Suite struct UnsaidTests {
    private static func answer(to question: String) -> APIReply {
        .text((1...3).map { "\(question) part \($0)." }.joined(separator: "\n\n"))
    }

    /// Every part of every answer that anybody heard, in the channel or in private.
    private func parts(heardBy people: [IRCClient]) -> [String] {
        let inChannel = people[0].lines.filter { $0.command == "PRIVMSG" && $0.source == "confab" }
        let inPrivate = people.flatMap { $0.lines.filter { $0.command == "NOTICE" && $0.source == "confab" } }
        return (inChannel + inPrivate).flatMap { line in
            line.text.matches(of: /of\w+ part \d/).map { String($0.output) }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: [("whole", 1), ("whole", 5), ("sentences", 2)])
    func `each part of each answer is said once, in the channel or by MORE`(
        streaming: String, before count: Int
    ) async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch, isPatient: true)
        let api = try ScriptedAPI { Self.answer(to: $0.question) }
        let bot = try ConfabProcess(
            in: scratch, port: server.port, pace: "burst = 4\ninterval = \"300ms\"",
            channelLines: "stream_to_channel = \"\(streaming)\"", api: api)
        var arrived: [IRCClient] = []
        for name in ["alice", "bobby", "carol"] {
            let person = try await IRCClient(nick: name, port: server.port)
            arrived.append(person)
            try await person.meet(in: "#confab")
            try await person.register()
        }
        let people = arrived
        for person in people { person.say("of\(person.nick)", to: "#confab") }
        // All are answered, and some of it is said.
        #expect(await eventually { parts(heardBy: people).count >= count })
        if streaming == "whole" {
            #expect(
                await eventually {
                    (try? await bot.rows("SELECT id FROM exchanges WHERE state = 'answered'"))?.count == 3
                })
        }
        bot.program.signal(SIGKILL)
        _ = await bot.program.waitForEnd()
        let next = try ConfabProcess(again: scratch)
        for person in people {
            try await person.expect("the bot again") { $0.command == "JOIN" && $0.source == "confab" }
            person.say("LOGIN correct-horse", to: "confab")
            try await person.expectNotice(from: "confab", containing: "logged in")
            // One page each, until there is none.
            for _ in 1...3 { person.say("MORE", to: "confab") }
            try await person.expectNotice(from: "confab", containing: "You have got all")
        }
        let all = people.flatMap { person in (1...3).map { "of\(person.nick) part \($0)" } }
        let heard = parts(heardBy: people)
        #expect(Set(heard).count == heard.count, "said twice: \(heard.sorted())")
        if streaming == "whole" { #expect(heard.sorted() == all.sorted()) }
        #expect(await next.stop() == 0)
    }
}
