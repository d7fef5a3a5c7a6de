/// Something in the configuration that the bot will not start with.
struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
    /// The file as it was named.
    let file: String
    /// Counted from 1; nil where no line is to blame.
    let line: Int?
    /// `networks[0].port`, or empty for the file as a whole.
    let key: String
    /// The value as TOML spells it; nil where there is none, or where it must not be shown.
    let value: String?
    /// What is wrong, then the cure.
    let words: String

    /// `confab.toml:12: networks[0].port = 70000: no such port. Give one from 1 to 65535.`
    var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let setting = value.map { "\(key) = \($0)" } ?? key
        return setting.isEmpty ? "\(place): \(words)" : "\(place): \(setting): \(words)"
    }
}

/// Every problem of one configuration, in the order of the file.
struct ConfigurationProblems: Error, CustomStringConvertible {
    let problems: [ConfigurationProblem]

    var description: String { problems.map(\.description).joined(separator: "\n") }
}
