import Domain

/// One pass over a configuration: collects every problem instead of stopping at the first.
///
/// A wrong value is noted and replaced by its default, so that reading goes on; whoever reads must ask for `problems` at
/// the end and throw the result away if there is one.
final class ConfigurationReading {
    /// The file as it was named.
    let file: String
    let secrets: SecretSource
    /// Every key asked for, indices left out (`networks.port`), with its default as TOML spells it, if it has one.
    private(set) var knownKeys: [String: String?] = [:]
    private var found: [ConfigurationProblem] = []
    private var tables: [TableReader] = []

    init(file: String, secrets: SecretSource) {
        self.file = file
        self.secrets = secrets
    }

    /// All problems in the order of the file, unknown keys among them.
    var problems: [ConfigurationProblem] {
        let unknown = tables.flatMap(\.unknownKeys)
        return (found + unknown).enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
            .map(\.element)
    }

    /// A reader for a table, whose unknown keys will be among the problems.
    func reader(_ path: String, _ entries: [String: TOMLNode], line: Int?) -> TableReader {
        let table = TableReader(path: path, entries: entries, line: line, reading: self)
        tables.append(table)
        return table
    }

    func note(_ problem: ConfigurationProblem) { found.append(problem) }

    func know(_ key: String, defaultValue: String?) {
        var plain = ""
        var isIndex = false
        for character in key {
            if character == "[" { isIndex = true }
            if !isIndex { plain.append(character) }
            if character == "]" { isIndex = false }
        }
        knownKeys.updateValue(defaultValue, forKey: plain)
    }
}
