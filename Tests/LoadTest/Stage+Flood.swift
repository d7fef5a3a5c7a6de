import Runtime
import Synchronization
import TestKit

/// Lines of a busy channel that nobody means for the bot.
extension Stage {
    /// Sends so many as fast as the bot takes them, a PING after each thousand and one question half-way.
    func measureFlood(of lines: Int) async throws {
        api.answer { .text("answer to \($0.question)") }
        network.skipToEnd()
        let before = network.lines.count
        let line = ":somebody!user@some.host.example PRIVMSG #load :just a line of everyday chatter, nothing more\r\n"
        let block = Array(String(repeating: line, count: 1000).utf8)
        let rounds = lines / 1000
        let pings = Mutex<[String: Duration]>([:])
        let processorTime = bot.processorTime ?? .zero
        let start = Time.system.now()
        // Blocks while the bot is behind, so it needs a thread that nobody else waits for.
        Thread.start(name: "flood") { [network] in
            for round in 0..<rounds {
                if round == rounds / 2 { network.send(":p0!p0@host0.test PRIVMSG #load :the one question") }
                network.send(bytes: block)
                let now = Time.system.now()
                pings.withLock { $0["flood\(round)"] = now }
                network.send("PING :flood\(round)")
            }
        }
        let isRead = await eventually(within: .seconds(120)) {
            network.lines.last { $0.command == "PONG" }?.text == "flood\(rounds - 1)"
        }
        let isAnswered = await eventually {
            network.lines.dropFirst(before).contains { $0.text.hasSuffix("answer to the one question") }
        }
        let pongs = network.lines.dropFirst(before).filter { $0.command == "PONG" }
        let took = (pongs.last?.receivedAt ?? start) - start
        let spent = (bot.processorTime ?? .zero) - processorTime
        let waits = pongs.compactMap { pong in pings.withLock { $0[pong.text] }.map { pong.receivedAt - $0 } }
        report(
            """
            \(lines) lines not meant for the bot: \(isRead ? "all" : "NOT ALL") read, \(Int(Double(lines) / (took / .seconds(1)))) \
            a second, \(spent / lines) of processor time each; the latest of \(pongs.count) PONGs after \
            \(waits.max() ?? .zero); the one question among them is \(isAnswered ? "answered" : "LOST")
            """)
    }
}
