import FoundationEssentials
import Testing

@testable import Completions

struct JSONWriterTests {
    @Test(arguments: [
        "", "plain", #"say "hi" \ bye"#, "a\nb\tc\rd", "\0\u{1}\u{8}\u{F}\u{10}\u{1F}\u{7F}", "漢字 🧑‍🚀 e\u{301} \u{2028}",
        "{\"role\":\"system\"}", "\\u0041",
    ])
    func `any text is read back by a parser as it was`(text: String) throws {
        var json = JSONWriter()
        json.array { $0.text(text) }
        let read = try JSONDecoder().decode([String].self, from: Data(json.bytes))
        #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
    }

    @Test func `members and elements are separated, and numbers are plain`() {
        var json = JSONWriter()
        json.object { json in
            json.member("a", 1)
            json.name("b")
            json.array { json in
                json.object { $0.member("c", true) }
                json.object { _ in }
                json.text("d")
            }
            json.member("e", 0.5)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":1,"b":[{"c":true},{},"d"],"e":0.5}"#)
    }
}
