import CJansson
import Glibc
import Runtime

/// What is to be sent as JSON, which jansson writes.
enum JSONOutput {
    case string(String)
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    case array([JSONOutput])
    /// In this order.
    case object([(name: String, value: JSONOutput)])

    /// As bytes for the wire, without white space.
    var bytes: [UInt8] {
        let value = unsafe value
        defer { unsafe cjansson_free(value) }
        guard let text = unsafe cjansson_text(value) else { LastWord.say("no memory is left for a request") }
        defer { unsafe free(text) }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The library's own, which whoever asks for it has to free.
    private var value: UnsafeMutablePointer<json_t>? {
        switch self {
        case .string(let text): unsafe Self.string(text)
        case .integer(let number): unsafe json_integer(json_int_t(number))
        case .real(let number): unsafe json_real(number)
        case .boolean(let value): unsafe value ? json_true() : json_false()
        case .array(let items): unsafe Self.array(items)
        case .object(let members): unsafe Self.object(members)
        }
    }

    /// By length: a NUL is a character like any other. Swift's strings are proper UTF-8.
    private static func string(_ text: String) -> UnsafeMutablePointer<json_t>? {
        var text = text
        return text.withUTF8 { utf8 in
            let bytes = unsafe UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            return unsafe json_stringn_nocheck(bytes, utf8.count)
        }
    }

    private static func array(_ items: [JSONOutput]) -> UnsafeMutablePointer<json_t>? {
        let array = unsafe json_array()
        // Takes over what it is given.
        for item in items { unsafe json_array_append_new(array, item.value) }
        return unsafe array
    }

    private static func object(_ members: [(name: String, value: JSONOutput)]) -> UnsafeMutablePointer<json_t>? {
        let object = unsafe json_object()
        for member in members { unsafe json_object_set_new(object, member.name, member.value.value) }
        return unsafe object
    }
}
