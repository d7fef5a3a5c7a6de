@testable import confab

/// The smallest configuration that is in order; tests add to it.
let smallest = """
    [[networks]]
    name = "here"
    host = "irc.example.org"
    [api]
    base_url = "https://api.example.org/v1"
    model = "small"

    """

/// Reads a document as if it were `confab.toml` in the directory.
func read(
    _ text: String, directory: String = "/nowhere", environment: [String: String] = [:]
) throws(ConfigurationProblems) -> Configuration {
    let secrets = SecretSource(directory: directory) { environment[$0] }
    return try Configuration.read(text, ConfigurationReading(file: "confab.toml", secrets: secrets))
}

/// What an operator is told about a document; empty where it is in order.
func problems(
    _ text: String, directory: String = "/nowhere", environment: [String: String] = [:]
) -> [String] {
    do {
        _ = try read(text, directory: directory, environment: environment)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}
