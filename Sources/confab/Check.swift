/// `confab check`: says what a start with this configuration would come to.
enum Check {
    static func run(file: String?, isConnecting: Bool) async -> ExitStatus {
        do {
            let (file, configuration) = try Configuration.load(named: file)
            say("\(file): in order, \(configuration.summary).")
            return .success
        } catch {
            complain(error.description)
            return .configuration
        }
    }
}

extension Configuration {
    /// `2 networks, 3 channels, model gpt-4o-mini at https://api.openai.com/v1`.
    var summary: String {
        let channels = networks.map(\.channels.count).reduce(0, +)
        return "\(Self.count(networks.count, "network")), \(Self.count(channels, "channel")), "
            + "model \(api.model) at \(api.baseURL)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
