import CJansson

/// A value in a JSON text that a server sent, read by [jansson](https://jansson.readthedocs.io/en/latest/apiref.html).
///
/// By a library in C: `JSONDecoder` took longer over the chunks of a short answer than everything else that the bot does
/// about them.
@safe struct JSONValue {
    private let document: Document
    private let value: UnsafeMutablePointer<json_t>

    /// Nil where the text is no JSON.
    init?(_ text: String) {
        let text = Self.withoutMark(text)
        let proper = Self.repaired(text) ?? text
        guard let document = Document(proper) ?? Self.withFiniteNumbers(proper).flatMap({ Document($0) }) else {
            return nil
        }
        self.document = document
        unsafe value = document.root
    }

    private init(_ value: UnsafeMutablePointer<json_t>, in document: Document) {
        self.document = document
        unsafe self.value = unsafe value
    }

    var isObject: Bool { type == JSON_OBJECT }
    var isNull: Bool { type == JSON_NULL }

    /// The member of an object; nil where there is none, or where this is no object.
    subscript(name: StaticString) -> JSONValue? {
        let name = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        guard let member = unsafe json_object_get(value, name) else { return nil }
        return unsafe JSONValue(member, in: document)
    }

    /// What an array holds; nil where this is none.
    var items: [JSONValue]? {
        guard type == JSON_ARRAY else { return nil }
        return unsafe (0..<json_array_size(value)).compactMap { index in
            unsafe json_array_get(value, index).map { unsafe JSONValue($0, in: document) }
        }
    }

    var string: String? {
        guard let start = unsafe json_string_value(value) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// A string that has something in it.
    var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A whole number, or one written as a string.
    var integer: Int? { type == JSON_REAL ? Int(exactly: unsafe json_real_value(value)) : string.flatMap { Int($0) } }

    /// A number of things, which is at least 0: a part of one is none, and what is too large is the most that doubles
    /// count one by one. Also one written as a string.
    var count: Int? {
        let number = type == JSON_REAL ? unsafe json_real_value(value) : string.flatMap { Double($0) }
        guard let number, !number.isNaN else { return nil }
        return Int(min(max(number, 0), Self.maxCounted))
    }

    /// 2^53: RFC 8259 section 6.
    private static let maxCounted: Double = 9_007_199_254_740_992

    private var type: json_type { unsafe cjansson_type(value) }

    /// Owns all values of one text.
    @safe private final class Document {
        let root: UnsafeMutablePointer<json_t>

        init?(_ text: String) {
            // Whole numbers of any size are taken: servers send a seed of 64 bits without a sign. And so are NULs, which
            // somebody's words may hold.
            let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)
            var text = text
            let root: UnsafeMutablePointer<json_t>? = text.withUTF8 { utf8 in
                guard let bytes = unsafe UnsafeRawPointer(utf8.baseAddress) else { return nil }
                return unsafe json_loadb(bytes.assumingMemoryBound(to: CChar.self), utf8.count, flags, nil)
            }
            guard let root = unsafe root else { return nil }
            unsafe self.root = unsafe root
        }

        deinit { unsafe cjansson_free(root) }
    }
}
