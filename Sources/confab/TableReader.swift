import Domain
import IRC
import IRCProtocol

/// Reads one table strictly: each key by its type and check, and none that nobody asked for.
final class TableReader {
    private let path: String
    private let entries: [String: TOMLNode]
    private let line: Int?
    private unowned let reading: ConfigurationReading
    private var asked: [String] = []

    init(path: String, entries: [String: TOMLNode], line: Int?, reading: ConfigurationReading) {
        self.path = path
        self.entries = entries
        self.line = line
        self.reading = reading
    }

    /// Says what is wrong with a value, and the cure; nil where nothing is.
    typealias Check<S> = (S) -> String?

    /// The value of a key, or its default.
    func value<S: Setting>(_ key: String, default standard: S, where check: Check<S> = { _ in nil }) -> S {
        ask(key, defaultValue: standard.spelling)
        return read(key, where: check) ?? standard
    }

    /// The most there may be of something; nil for 0, which is no limit.
    func limit(_ key: String, default standard: Int, upTo most: Int) -> Int? {
        let limit = value(key, default: standard, where: Checks.range(0...most))
        return limit == 0 ? nil : limit
    }

    /// The value of a key that has no default; nil where it is not there.
    func optional<S: Setting>(_ key: String, where check: Check<S> = { _ in nil }) -> S? {
        ask(key)
        return read(key, where: check)
    }

    /// The value of a key that must be there; `example` shows how.
    func required<S: Setting>(_ key: String, example: S, where check: Check<S> = { _ in nil }) -> S {
        ask(key)
        guard entries[key] != nil else {
            note(key, line, nil, "missing. Add it, e.g. \(key) = \(example.spelling)")
            return example
        }
        return read(key, where: check) ?? example
    }

    /// A secret that stands in the file itself; it never shows.
    func hidden(_ key: String, where check: Check<String>) -> Secret? {
        ask(key)
        guard let node = entries[key] else { return nil }
        guard let text = String(node.value) else {
            note(key, node.line, nil, "not \(String.expectation). Put quotes around it.")
            return nil
        }
        if let words = check(text) {
            note(key, node.line, nil, words)
            return nil
        }
        return Secret(text)
    }

    /// A secret kept elsewhere: the value names where.
    func secret(_ key: String) -> Secret? {
        ask(key)
        guard let node = entries[key] else { return nil }
        guard let reference = String(node.value) else {
            let words = "not \(String.expectation). Name a file, \"credential:NAME\" or \"env:NAME\"."
            note(key, node.line, nil, words)
            return nil
        }
        do {
            return try reading.secrets.read(reference)
        } catch {
            // Whoever pastes the secret itself where its place belongs must not find it in the journal.
            note(key, node.line, SecretSource.isReference(reference) ? reference.spelling : nil, error.words)
            return nil
        }
    }

    /// The path of a file that is there; with `isPrivate`, one that nobody else may read.
    func file(_ key: String, isPrivate: Bool = false) -> String? {
        ask(key)
        guard let written: String = read(key, where: { $0.isEmpty ? "empty. Name a file." : nil }) else { return nil }
        let path = reading.secrets.resolve(written)
        guard reading.secrets.isReading else { return path }
        do {
            _ = try reading.secrets.contents(of: path, isPrivate: isPrivate, limit: 4 << 20)
        } catch {
            refuse(key, error.words)
        }
        return path
    }

    /// The key in a PEM file that nobody else may read.
    func signingKey(_ key: String) -> SigningKey? {
        guard let path = file(key, isPrivate: true), reading.secrets.isReading else { return nil }
        // What is wrong with the file itself was noted already.
        guard let pem = try? reading.secrets.contents(of: path, isPrivate: true, limit: 16 << 10) else { return nil }
        if let signingKey = SigningKey(pem: pem) { return signingKey }
        refuse(
            key,
            "no P-256 private key without passphrase. Type: openssl ecparam -genkey -noout -name prime256v1 -out FILE")
        return nil
    }

    /// A table under this one; an empty one where it is not there.
    func table(_ key: String) -> TableReader {
        optionalTable(key) ?? reading.reader(join(key), [:], line: line)
    }

    /// A table under this one; nil where it is not there.
    func optionalTable(_ key: String) -> TableReader? {
        asked.append(key)
        guard let node = entries[key] else { return nil }
        guard case .table(let entries) = node.value else {
            note(key, node.line, nil, "not a table. Write [\(join(key))] on a line of its own and its keys below.")
            return nil
        }
        return reading.reader(join(key), entries, line: node.line)
    }

    /// The tables of `[[key]]`.
    func tables(_ key: String) -> [TableReader] {
        asked.append(key)
        guard let node = entries[key] else { return [] }
        let words = "not a list of tables. Write [[\(join(key))]] with two brackets for each."
        guard case .array(let nodes) = node.value else {
            note(key, node.line, nil, words)
            return []
        }
        return nodes.enumerated().compactMap { index, node in
            guard case .table(let entries) = node.value else {
                note(key, node.line, nil, words)
                return nil
            }
            return reading.reader("\(join(key))[\(index)]", entries, line: node.line)
        }
    }

    func isPresent(_ key: String) -> Bool { entries[key] != nil }

    /// Notes that a value cannot be, for a reason outside of itself. `words` say what is wrong, then the cure.
    func refuse(_ key: String, _ words: String) {
        let node = entries[key]
        note(key, node?.line ?? line, node.flatMap(Self.spelling), words)
    }

    /// A problem for each key nobody asked for. Their values do not show: a misspelled key may hold a secret.
    var unknownKeys: [ConfigurationProblem] {
        entries.filter { !asked.contains($0.key) }.map { key, node in
            let words: String
            if let nearest = key.nearest(among: asked) {
                words = "no such key. Did you mean \(nearest)?"
            } else if asked.isEmpty {
                words = "no such key."
            } else {
                words = "no such key. Known here: \(asked.sorted().joined(separator: ", "))."
            }
            return problem(key, node.line, nil, words)
        }
    }

    private func ask(_ key: String, defaultValue: String? = nil) {
        asked.append(key)
        reading.know(join(key), defaultValue: defaultValue)
    }

    private func read<S: Setting>(_ key: String, where check: Check<S>) -> S? {
        guard let node = entries[key] else { return nil }
        guard let value = S(node.value) else {
            note(key, node.line, Self.spelling(node), "not \(S.expectation).")
            return nil
        }
        if let words = check(value) {
            note(key, node.line, Self.spelling(node), words)
            return nil
        }
        return value
    }

    private func join(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func note(_ key: String, _ line: Int?, _ value: String?, _ words: String) {
        reading.note(problem(key, line, value, words))
    }

    private func problem(_ key: String, _ line: Int?, _ value: String?, _ words: String) -> ConfigurationProblem {
        ConfigurationProblem(file: reading.file, line: line, key: join(key), value: value, words: words)
    }

    /// A URL may hold a password, which must not show, nor may it where nothing could read the URL.
    private static func withoutUser(_ text: String) -> String {
        guard let start = text.firstRange(of: "://")?.upperBound, let end = text[start...].lastIndex(of: "@") else {
            return String(text.prefix(100))
        }
        return String("\(text[..<start])(hidden)\(text[end...])".prefix(100))
    }

    /// The value for people to recognise; nil for what would take more than a line.
    private static func spelling(_ node: TOMLNode) -> String? {
        switch node.value {
        case .string(let text): Self.withoutUser(text).spelling
        case .integer(let number): number.spelling
        case .float(let number): number.spelling
        case .boolean(let flag): flag.spelling
        case .array: [String](node.value)?.spelling
        case .other(let words): words
        case .table: nil
        }
    }
}
