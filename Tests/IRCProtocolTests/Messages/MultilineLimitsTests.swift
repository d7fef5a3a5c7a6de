import Testing

@testable import IRCProtocol

@Suite("What a server takes as one message")
struct MultilineLimitsTests {
    @Test(
        "is what the capability's value says, in any order and beside what later versions may add",
        arguments: [
            ("max-bytes=100", 4), ("max-bytes=100,max-lines=2", 2), ("max-lines=3,max-bytes=100,later,x=y", 3),
            // Each of these texts has ten bytes, and there is a line end between any two.
            ("max-bytes=32", 3), ("max-bytes=31", 2), ("max-bytes=20", 1), ("max-bytes=1", 1),
            ("max-bytes=100,max-lines=0", 1), ("max-bytes=100,max-lines=-5", 1), ("max-bytes=100,max-lines=many", 4),
            ("max-bytes=32,max-bytes=9", 3),
        ])
    func limits(value: String, count: Int) throws {
        let texts = Array(repeating: "ten bytes!", count: 4)
        #expect(try #require(MultilineLimits(value)).count(of: texts[...]) == count)
    }

    @Test(
        "is nothing where the value lacks the bytes that it must name",
        arguments: [
            "", "max-lines=5", "max-bytes", "max-bytes=", "max-bytes=0", "max-bytes=-1",
            "max-bytes=99999999999999999999",
        ])
    func nothing(value: String) { #expect(MultilineLimits(value) == nil) }

    @Test("is never more than some lines and bytes at once, so that others have their turns")
    func bounds() throws {
        let generous = try #require(MultilineLimits("max-bytes=1000000,max-lines=1000"))
        #expect(generous.count(of: Array(repeating: "x", count: 100)[...]) == 16)
        #expect(generous.count(of: Array(repeating: String(repeating: "x", count: 450), count: 100)[...]) == 9)
    }
}
