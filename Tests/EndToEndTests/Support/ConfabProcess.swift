import FoundationEssentials
import Glibc
import TestKit

/// The built bot as a process, with a configuration and a state directory of its test's own.
final class ConfabProcess: Sendable {
    /// A pace for servers that do not mind, where it is not what is tested.
    static let brisk = "burst = 200\ninterval = \"5ms\""

    let scratch: Scratch
    let program: Program

    /// `network` and `api` are TOML lines for `[[networks]]` and `[api]`; `rest` is put at the end.
    init(
        in scratch: Scratch, port: Int, network: String = "tls = false", pace: String? = nil,
        channels: [String] = ["#confab"], channelLines: String = "", api: ScriptedAPI, apiLines: String = "",
        rest: String = "[log]\nlevel = \"debug\"", environment: [String: String] = [:]
    ) throws {
        self.scratch = scratch
        let channelTables = channels.map { "[[networks.channels]]\nname = \"\($0)\"\n\(channelLines)\n" }.joined()
        let configuration = """
            [bot]
            nick = "confab"
            state_directory = "\(scratch.file("state"))"

            [[networks]]
            name = "test"
            \(network.contains("host =") ? "" : "host = \"localhost\"")
            port = \(port)
            \(network)
            [networks.pace]
            \(pace ?? "burst = 4\ninterval = \"2s\"")
            \(channelTables)
            [api]
            base_url = "\(api.baseURL)"
            model = "scripted"
            \(apiLines)
            # Tests reply as fast as only machines do, and ask several questions at once.
            \(rest.contains("[answers]") ? "" : "[answers]\ngather = \"0s\"")
            [limits]
            quick_replies = 0
            # Everybody in a test comes from one machine.
            \(rest.contains("[accounts]") ? "" : "[accounts]\nregistrations_per_address = 1000")

            \(rest)
            """
        let file = scratch.file("confab.toml")
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        program = try Self.start(in: scratch, environment)
    }

    /// Another process on what an earlier one left.
    init(again scratch: Scratch) throws {
        self.scratch = scratch
        program = try Self.start(in: scratch)
    }

    private static func start(in scratch: Scratch, _ environment: [String: String] = [:]) throws -> Program {
        try Program(
            Places.confab, ["run", "--config", scratch.file("confab.toml")], logFile: scratch.file("confab.log"),
            environment: environment)
    }

    /// The rows of a query on the bot's database, columns separated by `|`, through the `sqlite3` shell.
    func rows(_ query: String) async throws -> [String] {
        let output = scratch.file("rows-\(UUID().uuidString)")
        let shell = try Program(
            "/usr/bin/sqlite3", ["-readonly", scratch.file("state/confab.sqlite"), query], logFile: output)
        _ = await shell.waitForEnd()
        return shell.output.split(separator: "\n").map(String.init)
    }

    /// The bytes of every file in the state directory, the write-ahead log included.
    func storedBytes() throws -> [UInt8] { try scratch.bytes(in: "state") }

    /// Asks it to end and returns its exit status.
    func stop() async -> Int32? {
        program.signal(SIGTERM)
        return await program.waitForEnd()
    }
}

extension IRCClient {
    /// Joins and waits until the bot is there too.
    func meet(_ bot: String = "confab", in channel: String) async throws {
        try await join(channel)
        let isThere = lines.contains { line in
            line.command == "353" && line.parameters.contains(channel)
                && line.text.split(separator: " ").contains { $0.trimmingPrefix(while: { "@+".contains($0) }) == bot }
        }
        guard !isThere else { return }
        try await expect("\(bot) in \(channel)") { line in
            line.command == "JOIN" && line.source == bot && line.text == channel
        }
    }

    /// Registers an account named after the nick, which logs in at once.
    func register(password: String = "correct horse", bot: String = "confab") async throws {
        let word = password.replacing(" ", with: "-")
        say("REGISTER \(word) \(nick)@example.org", to: bot)
        try await expectNotice(from: bot, containing: "registered")
    }
}
