import Testing

@testable import confab

@Suite struct TOMLTests {
    private func entry(_ text: String, _ key: String) throws -> TOMLNode? {
        guard case .table(let entries) = try TOMLNode.parse(text).value else { return nil }
        return entries[key]
    }

    @Test func `every value keeps its type and its line`() throws {
        let text = "a = 1\nb = 1.5\n\nc = 'x'\nd = true\ne = 2020-01-01\nf = inf\n[g]\nh = [1]\n"
        #expect(try entry(text, "a")?.value == .integer(1))
        #expect(try entry(text, "b")?.value == .float(1.5))
        #expect(try entry(text, "c")?.value == .string("x"))
        #expect(try entry(text, "c")?.line == 4)
        #expect(try entry(text, "d")?.value == .boolean(true))
        #expect(try entry(text, "e")?.value == .other("a date or time"))
        #expect(try entry(text, "f")?.value == .other("inf"))
        #expect(try entry(text, "g")?.line == 8)
    }

    @Test(arguments: ["quote \\\" backslash \\\\", "tab \\t", "nul \\u0000 end", "ünï \\U0001F600"])
    func `text survives whatever is in it`(escaped: String) throws {
        let plain = escaped.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
            .replacing("\\t", with: "\t").replacing("\\u0000", with: "\0").replacing("\\U0001F600", with: "😀")
        #expect(try entry("a = \"\(escaped)\"", "a")?.value == .string(plain))
    }

    @Test(arguments: ["a", "a = ", "[a", "a = 1\na = 2", "a = \"\\q\"", "\u{0}"])
    func `what is no TOML says where`(text: String) {
        #expect { try TOMLNode.parse(text) } throws: { "\($0)".hasPrefix("line ") }
    }

    @Test func `a document that nests without end is refused and does no harm`() {
        #expect(throws: TOMLSyntaxError.self) {
            try TOMLNode.parse("a = " + String(repeating: "[", count: 100_000))
        }
    }
}
