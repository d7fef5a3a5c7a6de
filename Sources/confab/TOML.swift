import CTOML
import FoundationEssentials
import Glibc

/// One value of a TOML document, with the line it stands on.
struct TOMLNode: Sendable, Equatable, Decodable {
    enum Value: Sendable, Equatable {
        case table([String: TOMLNode])
        case array([TOMLNode])
        case string(String)
        case integer(Int)
        case float(Double)
        case boolean(Bool)
        /// A date, a time, an infinity: nothing the configuration knows. What it is, in words.
        case other(String)
    }

    /// Counted from 1.
    let line: Int
    let value: Value

    private enum Key: String, CodingKey { case line, table, array, string, integer, float, boolean, other }

    /// From the shape that `ctoml_parse` writes.
    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        line = try object.decode(Int.self, forKey: .line)
        switch object.allKeys.first(where: { $0 != .line }) {
        case .table: value = .table(try object.decode([String: TOMLNode].self, forKey: .table))
        case .array: value = .array(try object.decode([TOMLNode].self, forKey: .array))
        case .string: value = .string(try object.decode(String.self, forKey: .string))
        case .integer: value = .integer(try object.decode(Int.self, forKey: .integer))
        case .float: value = .float(try object.decode(Double.self, forKey: .float))
        case .boolean: value = .boolean(try object.decode(Bool.self, forKey: .boolean))
        default: value = .other(try object.decode(String.self, forKey: .other))
        }
    }

    /// The root table of a document, by [toml++](https://marzer.github.io/tomlplusplus/).
    static func parse(_ text: String) throws(TOMLSyntaxError) -> TOMLNode {
        var text = text
        let document = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty document has no address of its own.
                unsafe characters.baseAddress.map { unsafe ctoml_parse($0, characters.count) } ?? ctoml_parse("", 0)
            }
        }
        defer { unsafe ctoml_free(document) }
        guard let json = unsafe document.json else {
            let words = unsafe document.error.map { unsafe String(cString: $0) } ?? "line 1, column 1: unreadable"
            throw TOMLSyntaxError(description: words)
        }
        do {
            let data = unsafe Data(bytesNoCopy: json, count: strlen(json), deallocator: .none)
            return try JSONDecoder().decode(TOMLNode.self, from: data)
        } catch {
            throw TOMLSyntaxError(description: "line 1, column 1: the document nests too deep")
        }
    }
}

/// Where a document stops being TOML: `line 3, column 7: …`.
struct TOMLSyntaxError: Error, Equatable, CustomStringConvertible {
    let description: String
}
