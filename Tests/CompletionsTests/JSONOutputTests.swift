import FoundationEssentials
import Testing

@testable import Completions

struct JSONOutputTests {
    @Test(arguments: [
        "", "plain", #"say "hi" \ bye"#, "a\nb\tc\rd", "\0\u{1}\u{8}\u{F}\u{10}\u{1F}\u{7F}", "漢字 🧑‍🚀 e\u{301} \u{2028}",
        "{\"role\":\"system\"}", "\\u0041",
    ])
    func `any text is read back by a parser as it was`(text: String) throws {
        let bytes = JSONOutput.array([.string(text)]).bytes
        let read = try JSONDecoder().decode([String].self, from: Data(bytes))
        #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
    }

    @Test func `members stay in order, and numbers are plain`() {
        let json = JSONOutput.object([
            ("z", .integer(1)), ("b", .array([.object([("c", .boolean(true))]), .object([]), .string("d")])),
            ("a", .array([.real(0.5), .real(0.7), .real(1), .real(1e-7), .integer(-3)])),
        ])
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"z":1,"b":[{"c":true},{},"d"],"a":[0.5,0.7,1.0,1e-7,-3]}"#)
    }
}
