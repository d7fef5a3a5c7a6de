/// Any JSON, for error bodies, whose shape nobody knows beforehand.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let members = try? value.decode([String: JSONValue].self) {
            self = .object(members)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .array(items)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else {
            self = .null
        }
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var text: String? {
        if case .string(let text) = self, !text.isEmpty { text } else { nil }
    }

    /// A number, or one written as a string.
    var integer: Int? {
        switch self {
        case .number(let number): Int(exactly: number)
        case .string(let text): Int(text)
        default: nil
        }
    }
}
