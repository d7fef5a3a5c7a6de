import FoundationEssentials
import Glibc
import Runtime
import TestKit

/// Measures the built bot on a scripted network and a scripted API: `loadtest PATH-OF-CONFAB [PEOPLE [SECONDS-OF-REST]]`.
///
/// Prints figures and judges nothing: machines differ. What a question takes is put beside what the same work costs here
/// without a bot in between, measured in the same run.
@main struct LoadTest {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else {
            report("usage: loadtest PATH-OF-CONFAB [PEOPLE [SECONDS-OF-REST]]")
            exit(64)
        }
        let people = arguments.count > 2 ? Int(arguments[2]) ?? 1000 : 1000
        let rest = Duration.seconds(arguments.count > 3 ? Int(arguments[3]) ?? 30 : 30)
        let stage = try await Stage(binary: arguments[1])
        try await stage.reportIdle(after: .seconds(2))
        try await stage.reportIdle(after: rest)
        try await stage.register(people)
        try await stage.measureWrongLogins(of: people, rounds: 200)
        try await stage.measureOneByOne("first questions", rounds: min(people, 300)) { $0 }
        try await stage.measureOneByOne("questions of one long conversation", rounds: 300) { _ in 0 }
        try await stage.measureInARow(of: people)
        try await stage.measureAllAtOnce(people, latency: .seconds(2))
        try await stage.measureFirstSentence(rounds: 50)
        try await stage.countStreams(of: people)
        try await stage.measureFlood(of: 200_000)
        try await stage.reportIdle(after: rest)
        stage.bot.signal(SIGTERM)
        report("exit status after SIGTERM: \(await stage.bot.waitForEnd() ?? -1)")
    }
}

/// At once, also into a pipe.
func report(_ line: String) { writeAll(Array((line + "\n").utf8), to: STDOUT_FILENO) }

/// The bot between a network and an API that this process plays.
struct Stage {
    let bot: Program
    private let scratch: Scratch
    let api: ScriptedAPI
    let network: LineConnection
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
            [[networks.channels]]
            name = "#stream"
            stream_to_channel = "sentences"
            max_lines = 20
            # Everybody registers first, which is not what is measured.
            [accounts]
            hash_memory_mib = 8
            hash_passes = 1
            registrations_per_address = 1000000
            registrations_overall = 1000000
            guesses_overall = 1000000
            [api]
            base_url = "\(api.baseURL)"
            model = "scripted"
            max_in_flight = 1000
            # One person asks as fast as the answers come, which is not what limits are for.
            [answers]
            gather = "0s"
            [limits]
            quick_replies = 0
            [limits.account]
            per_minute = 0
            """
        try configuration.write(toFile: scratch.file("confab.toml"), atomically: false, encoding: .utf8)
        bot = try Program(
            binary, ["run", "--config", scratch.file("confab.toml")], logFile: scratch.file("confab.log"))
        network = try await server.connection()
        let nick = try await network.welcome()
        for channel in ["#load", "#stream"] { try await network.admit(nick, to: channel) }
    }

    /// Memory of a bot that has joined and has had nothing to do for this long.
    func reportIdle(after rest: Duration) async throws {
        try await Task.sleep(for: rest)
        report("idle, \(rest) later: \(memory), threads \(bot.memory("Threads") ?? 0)")
    }

    private var memory: String {
        let parts = ["RssAnon", "RssFile"].map { "\($0) \(bot.memory($0) ?? 0)" }.joined(separator: ", ")
        return "VmRSS \(bot.memory() ?? 0) KiB (\(parts))"
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
        report("registered \(people): VmRSS \(bot.memory() ?? 0) KiB")
    }

    /// One question at a time with an API that answers at once, each beside the very same request to the API alone and
    /// through a bare relay.
    func measureOneByOne(_ what: String, rounds: Int, by person: @Sendable (Int) -> Int) async throws {
        var through: [Duration] = []
        var alone: [Duration] = []
        var relayed: [Duration] = []
        var relay: BareRelay?
        let bare = try api.bareConnection()
        defer { bare.close() }
        for round in 0..<rounds {
            let nick = "p\(person(round))"
            let start = Time.system.now()
            network.send(":\(nick)!\(nick)@host\(person(round)).test PRIVMSG #load :one \(round)")
            // Without a timer of the pool's: its thread would run just when the bot does.
            usleep(5000)
            let line = try await network.expect("answer \(round)") { $0.text == "\(nick): answer to one \(round)" }
            through.append(line.receivedAt - start)
            let body = Array((api.requests.last?.body ?? "").utf8)
            usleep(5000)
            alone.append(try bare.roundTrip(body))
            // The conversation is as long as it gets.
            if round == rounds / 2 { relay = try BareRelay(asking: api, body, storingIn: scratch) }
            usleep(5000)
            if let relay { relayed.append(try relay.roundTrip()) }
        }
        report("\(what), one at a time, through the bot: \(spread(through))")
        report("\(what), the API alone: \(spread(alone))")
        report("\(what), through a bare relay that stores both: \(spread(relayed))")
    }

    /// The next question as soon as the answer to the last is there: nothing has time to fall asleep or out of a cache.
    func measureInARow(of people: Int) async throws {
        var through: [Duration] = []
        var own: [Duration] = []
        var alone: [Duration] = []
        var relayed: [Duration] = []
        let bare = try api.bareConnection()
        defer { bare.close() }
        api.answer { [answer = APIReply.ready("answer to one in a row")] _ in answer }
        var relay: BareRelay?
        for block in 0..<10 {
            let answered = api.ownTimes.count
            for round in block * 20..<(block + 1) * 20 {
                let person = round % people
                let count = network.count
                let start = Time.system.now()
                network.send(":p\(person)!p\(person)@host\(person).test PRIVMSG #load :in a row \(round)")
                through.append(try network.line(after: count).receivedAt - start)
            }
            own += api.ownTimes.dropFirst(answered)
            let body = Array((api.requests.last?.body ?? "").utf8)
            let bareRelay = try relay ?? BareRelay(asking: api, body, storingIn: scratch)
            relay = bareRelay
            for _ in 0..<20 { alone.append(try bare.roundTrip(body)) }
            for _ in 0..<20 { relayed.append(try bareRelay.roundTrip()) }
        }
        report("questions in a row, through the bot: \(spread(through))")
        report("questions in a row, of it in the API itself: \(spread(own))")
        report("questions in a row, the API alone: \(spread(alone))")
        report("questions in a row, through a bare relay that stores both: \(spread(relayed))")
    }

    /// Everybody asks in the same instant; before that the same number of questions without the bot.
    func measureAllAtOnce(_ people: Int, latency: Duration) async throws {
        api.answer(after: latency) { .text("answer to \($0.question)") }
        let bare = try api.roundTrips(people)
        network.skipToEnd()
        bot.forgetMemoryPeak()
        let before = network.lines.count
        let processorTime = bot.processorTime ?? .zero
        let questions = (0..<people).map { ":p\($0)!p\($0)@host\($0).test PRIVMSG #load :all at once \($0)\r\n" }
        let bytes = Array(questions.joined().utf8)
        let start = Time.system.now()
        network.send(bytes: bytes)
        let isDone = await eventually(within: .seconds(120)) {
            network.lines.count - before >= people
        }
        let lines = network.lines.dropFirst(before)
        let took = (lines.last?.receivedAt ?? start) - start
        let answers = Set(lines.map(\.text))
        let expected = Set((0..<people).map { "p\($0): answer to all at once \($0)" })
        let asked = (api.requests.last?.receivedAt ?? start) - start
        report("\(people) at once, API at \(latency), without the bot: the last answer after \(bare)")
        report(
            """
            \(people) at once, API at \(latency), through the bot: all asked after \(asked), \
            \(isDone ? "all" : "NOT ALL") answered after \(took), \(answers.intersection(expected).count) right; \
            processor time \((bot.processorTime ?? .zero) - processorTime)
            """)
        report("peak meanwhile \(bot.memory("VmHWM") ?? 0) KiB, then \(memory), threads \(bot.memory("Threads") ?? 0)")
    }

    func spread(_ durations: [Duration]) -> String {
        let sorted = durations.sorted()
        return "median \(sorted[sorted.count / 2]), 90 % within \(sorted[sorted.count * 9 / 10])"
    }
}
