import FoundationEssentials
import TestKit

/// What an operator does: writes `confab.toml` and calls the built program with it.
extension Scratch {
    /// Networks on this machine in clear text, each by its name and port and with these further lines, and a channel on each;
    /// `rest` is put at the end, after the lines of `[api]`.
    func configure(
        _ networks: KeyValuePairs<String, Int> = ["test": 1], networkLines: String = "",
        api: String = "http://127.0.0.1:1", rest: String = ""
    ) throws {
        let tables = networks.map { name, port in
            """
            [[networks]]
            name = "\(name)"
            host = "127.0.0.1"
            port = \(port)
            tls = false
            \(networkLines)
            [[networks.channels]]
            name = "#confab"

            """
        }
        let text = """
            [bot]
            state_directory = "state"
            \(tables.joined())
            [api]
            base_url = "\(api)"
            model = "scripted"
            \(rest)
            """
        try text.write(toFile: file("confab.toml"), atomically: false, encoding: .utf8)
    }

    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Program {
        try Program(
            Places.confab, arguments + ["--config", file("confab.toml")], logFile: file("out-\(UUID().uuidString)"),
            environment: environment)
    }

    /// Of a call that ends by itself: how, and what it said.
    func run(_ arguments: [String]) async throws -> (status: Int32?, output: String) {
        let program = try start(arguments)
        return (await program.waitForEnd(), program.output)
    }
}
