import FoundationEssentials
import Glibc
import Runtime
import TestKit

/// Measures the built bot on a scripted network and a scripted API: `loadtest PATH-OF-CONFAB [PEOPLE]`.
///
/// Prints figures and judges nothing: machines differ. Each time is put beside what the same work costs here without a
/// bot in between, measured in the same run.
@main struct LoadTest {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            print("usage: loadtest PATH-OF-CONFAB [PEOPLE]")
            exit(64)
        }
        let people = arguments.count > 2 ? Int(arguments[2]) ?? 1000 : 1000
        let stage = try await Stage(binary: arguments[1])
        try await stage.reportIdle()
        try await stage.register(people)
        try await stage.measureOneByOne(rounds: 300)
        try await stage.measureAllAtOnce(people, latency: .seconds(2))
        stage.bot.signal(SIGTERM)
        print("exit status after SIGTERM: \(await stage.bot.waitForEnd() ?? -1)")
    }
}

/// The bot between a network and an API that this process plays.
struct Stage {
    let bot: Program
    private let scratch: Scratch
    private let api: ScriptedAPI
    private let network: LineConnection
    private let server: ScriptedIRCServer

    init(binary: String) async throws {
        scratch = try Scratch()
        api = try ScriptedAPI { .text("answer to \($0.question)") }
        server = try ScriptedIRCServer()
        let configuration = """
            [bot]
            nick = "confab"
            state_directory = "\(scratch.file("state"))"
            [[networks]]
            name = "load"
            host = "127.0.0.1"
            port = \(server.port)
            tls = false
            [networks.pace]
            burst = 1000
            interval = "1ms"
            [[networks.channels]]
            name = "#load"
            [api]
            base_url = "\(api.baseURL)"
            model = "scripted"
            max_in_flight = 1000
            """
        try configuration.write(toFile: scratch.file("confab.toml"), atomically: false, encoding: .utf8)
        bot = try Program(
            binary, ["run", "--config", scratch.file("confab.toml")], logFile: scratch.file("confab.log"))
        network = try await server.connection()
        let nick = try await network.welcome()
        try await network.admit(nick, to: "#load")
    }

    /// Memory of a bot that has joined and has nothing to do.
    func reportIdle() async throws {
        try await Task.sleep(for: .seconds(2))
        print("idle: VmRSS \(bot.memory() ?? 0) KiB, threads \(bot.memory("Threads") ?? 0)")
    }

    /// Everybody joins and registers; few at a time, since hashing has a short queue.
    func register(_ people: Int) async throws {
        for number in 0..<people {
            network.send(":p\(number)!p\(number)@host\(number).test JOIN #load")
            network.send(
                ":p\(number)!p\(number)@host\(number).test PRIVMSG confab :REGISTER load-test p\(number)@example.org")
            _ = try await network.expect("the registration of p\(number)") {
                $0.command == "NOTICE" && $0.target == "p\(number)" && $0.text.hasPrefix("Registered")
            }
        }
        print("registered \(people): VmRSS \(bot.memory() ?? 0) KiB")
    }

    /// One question at a time with an API that answers at once, beside the API alone.
    func measureOneByOne(rounds: Int) async throws {
        var through: [Duration] = []
        var alone: [Duration] = []
        for round in 0..<rounds {
            let start = Time.system.now()
            network.send(":p0!p0@host0.test PRIVMSG #load :one \(round)")
            _ = try await network.expectSoon { $0.text == "p0: answer to one \(round)" }
            through.append(Time.system.now() - start)
            alone.append(try api.roundTrip())
        }
        let (bot, bare) = (median(through), median(alone))
        print("one question at a time: through the bot \(bot), the API alone \(bare), difference \(bot - bare)")
    }

    /// Everybody asks in the same instant.
    func measureAllAtOnce(_ people: Int, latency: Duration) async throws {
        api.answer(after: latency) { .text("answer to \($0.question)") }
        network.skipToEnd()
        let before = network.lines.count
        let start = Time.system.now()
        let questions = (0..<people).map { ":p\($0)!p\($0)@host\($0).test PRIVMSG #load :all at once \($0)\r\n" }
        network.send(bytes: Array(questions.joined().utf8))
        let isDone = await eventually(within: .seconds(120)) {
            network.lines.count - before >= people
        }
        let took = Time.system.now() - start
        let answers = Set(network.lines.dropFirst(before).map(\.text))
        let expected = Set((0..<people).map { "p\($0): answer to all at once \($0)" })
        print(
            "\(people) at once, API at \(latency): \(isDone ? "all" : "NOT ALL") answered after \(took);",
            "\(answers.intersection(expected).count) right;",
            "VmRSS \(bot.memory() ?? 0) KiB, peak \(bot.memory("VmHWM") ?? 0) KiB, threads \(bot.memory("Threads") ?? 0)"
        )
    }

    private func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }
}
