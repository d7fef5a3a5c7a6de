import Glibc
import Runtime
import TestKit

/// Answers that are said while they come in.
extension Stage {
    private static let sentences = ["first", "second", "third", "fourth", "fifth"]

    /// From the first whole sentence at the API to its line on the wire, for one person, beside a bare relay of lines.
    func measureFirstSentence(rounds: Int) async throws {
        api.answer { .pieces(Self.pieces(to: $0.question), every: .milliseconds(20)) }
        network.send(":p0!p0@host0.test JOIN #stream")
        let relay = try BareRelay()
        var said: [Duration] = []
        var relayed: [Duration] = []
        for round in 0..<rounds {
            let question = "stream \(round)"
            network.send(":p0!p0@host0.test PRIVMSG #stream :\(question)")
            usleep(150_000)
            let line = try await network.expect("the first sentence of \(round)") {
                $0.target == "#stream" && $0.text.contains("first") && $0.text.contains(question)
            }
            if let begun = api.begun[question] { said.append(line.receivedAt - begun) }
            relayed.append(try relay.roundTrip())
        }
        report("first sentence at the API to its line, through the bot: \(spread(said))")
        report("a line through a bare relay and back: \(spread(relayed))")
    }

    /// Everybody asks at once and is answered sentence by sentence; counts what came of it.
    func countStreams(of people: Int) async throws {
        for number in 1..<people { network.send(":p\(number)!p\(number)@host\(number).test JOIN #stream") }
        api.answer(after: .seconds(2)) { .pieces(Self.pieces(to: $0.question), every: .milliseconds(200)) }
        network.skipToEnd()
        bot.forgetMemoryPeak()
        let before = network.lines.count
        let lines = (0..<people).map { ":p\($0)!p\($0)@host\($0).test PRIVMSG #stream :from person \($0)\r\n" }
        network.send(bytes: Array(lines.joined().utf8))
        let expected = (0..<people).map { Self.pieces(to: "from person \($0)").joined().split(separator: " ") }
        let isDone = await eventually(within: .seconds(120)) {
            network.lines.dropFirst(before).count { $0.text.contains("fifth") } >= people
        }
        let begun = api.begun
        var heard: [Substring: [Substring]] = [:]
        var firstLines: [Duration] = []
        for line in network.lines.dropFirst(before) where line.target == "#stream" {
            let halves = line.text.split(separator: ": ", maxSplits: 1)
            let nick = halves.first ?? ""
            if heard[nick] == nil, let begunAt = begun["from person \(nick.dropFirst())"] {
                firstLines.append(line.receivedAt - begunAt)
            }
            heard[nick, default: []] += (halves.last ?? "").split(separator: " ")
        }
        let right = (0..<people).count { heard["p\($0)"] == expected[$0] }
        report(
            """
            \(people) at once, sentence by sentence: \(isDone ? "all" : "NOT ALL") ended, \
            \(right) whole, once, in order and to the right person
            """)
        report("their first sentences at the API to their lines: \(spread(firstLines))")
        report("peak meanwhile \(bot.memory("VmHWM") ?? 0) KiB")
    }

    /// Each piece ends with the beginning of the next sentence, by which the one before it is known to be whole.
    private static func pieces(to question: String) -> [String] {
        let last = sentences.count - 1
        return sentences.enumerated().map { index, ordinal in
            (index == 0 ? "The " : "") + "\(ordinal) sentence to \(question)." + (index == last ? "" : " The ")
        }
    }
}
