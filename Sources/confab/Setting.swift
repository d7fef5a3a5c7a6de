import Completions
import Dialogue
import Domain
import Runtime

/// A type of value that a key of the configuration may have.
protocol Setting: Sendable {
    /// What belongs there, with an example: `a whole number, e.g. 5`.
    static var expectation: String { get }

    /// Nil where the value is of another type.
    init?(_ value: TOMLNode.Value)

    /// The value as one writes it in the file.
    var spelling: String { get }
}

extension String: Setting {
    static var expectation: String { "text in quotes" }

    init?(_ value: TOMLNode.Value) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    var spelling: String {
        let escaped = unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

extension Int: Setting {
    static var expectation: String { "a whole number" }

    init?(_ value: TOMLNode.Value) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }

    var spelling: String { description }
}

extension Double: Setting {
    static var expectation: String { "a number" }

    init?(_ value: TOMLNode.Value) {
        switch value {
        case .float(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }

    var spelling: String { description }
}

extension Bool: Setting {
    static var expectation: String { "true or false" }

    init?(_ value: TOMLNode.Value) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }

    var spelling: String { description }
}

extension [String]: Setting {
    static var expectation: String { "a list of texts, e.g. [\"one\", \"two\"]" }

    init?(_ value: TOMLNode.Value) {
        guard case .array(let elements) = value else { return nil }
        let texts = elements.compactMap { String($0.value) }
        guard texts.count == elements.count else { return nil }
        self = texts
    }

    var spelling: String { "[" + map(\.spelling).joined(separator: ", ") + "]" }
}

extension Duration: Setting {
    static var expectation: String { "a duration such as \"500ms\", \"1.2s\", \"10m\" or \"1h\"" }

    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    init?(_ value: TOMLNode.Value) {
        guard case .string(let text) = value else { return nil }
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let count = Int(digits), count <= 1_000_000_000 else { return nil }
        let tenth = Self.tenth(text.dropFirst(digits.count))
        let suffix = text.dropFirst(digits.count + (tenth == nil ? 0 : 2))
        guard let unit = Self.units.first(where: { $0.suffix == suffix }) else { return nil }
        guard tenth == nil || unit.milliseconds >= 10 else { return nil }
        self = .milliseconds(count * unit.milliseconds + (tenth ?? 0) * (unit.milliseconds / 10))
    }

    /// The digit of `.2s`.
    private static func tenth(_ rest: Substring) -> Int? {
        guard rest.first == ".", let digit = rest.dropFirst().first, ("0"..."9").contains(digit) else { return nil }
        return digit.wholeNumberValue
    }

    /// In the largest unit that gives a whole number, or in tenths of a second.
    var spelling: String {
        let milliseconds = Int(wholeMilliseconds)
        if milliseconds > 1000, milliseconds % 1000 != 0, milliseconds % 100 == 0 {
            return "\"\(milliseconds / 1000).\(milliseconds / 100 % 10)s\""
        }
        let unit = Self.units.last { milliseconds != 0 && milliseconds % $0.milliseconds == 0 } ?? ("s", 1000)
        return "\"\(milliseconds / unit.milliseconds)\(unit.suffix)\""
    }
}

/// A value that is one word out of a few.
protocol Choice: Setting, RawRepresentable<String>, CaseIterable {}

extension Choice {
    static var expectation: String {
        "one of " + allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    init?(_ value: TOMLNode.Value) {
        guard case .string(let text) = value else { return nil }
        self.init(rawValue: text)
    }

    var spelling: String { "\"\(rawValue)\"" }
}

extension AnswerFormat: Choice {}
extension Listen: Choice {}
extension ChannelRules.Streaming: Choice {}
extension CompletionSettings.Kind: Choice {}
extension DialogueSettings.Registration: Choice {}
extension Log.Level: Choice {}
extension Log.Format: Choice {}
