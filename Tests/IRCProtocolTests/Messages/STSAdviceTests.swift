import Testing

@testable import IRCProtocol

@Suite("What a server says of TLS")
struct STSAdviceTests {
    private func advice(_ line: String) throws -> STSAdvice? { STSAdvice(try #require(IRCMessage(line))) }

    @Test(
        "is taken from the capability's value, and what is none says nothing",
        arguments: [
            ("port=6697", 6697, nil), ("port=6697,duration=60", 6697, .seconds(60)), ("duration=0", nil, .zero),
            ("duration=31536000,preload", nil, .seconds(31_536_000)), ("preload", nil, nil), ("port=", nil, nil),
            ("port=0", nil, nil), ("port=65536", nil, nil), ("port=-1", nil, nil), ("port=66a", nil, nil),
            ("new=1,port=1", 1, nil), ("duration=99999999999999999999", nil, .seconds(315_360_000)),
        ] as [(Substring, Int?, Duration?)])
    func values(value: Substring, port: Int?, duration: Duration?) {
        let advice = STSAdvice(value: value)
        #expect(advice.port == port && advice.duration == duration)
    }

    @Test("stands in a listing or a new offer, on whatever line of it, and nowhere else")
    func lines() throws {
        #expect(try advice(":s CAP * LS :a sts=port=1 b")?.port == 1)
        #expect(try advice(":s CAP * LS * :sts=port=1")?.port == 1)
        #expect(try advice(":s CAP confab NEW :sts=port=1")?.port == 1)
        for line in [":s CAP * ACK :sts=port=1", ":s CAP * LS :xsts=port=1 sts", ":s PRIVMSG a LS :sts=port=1"] {
            #expect(try advice(line) == nil)
        }
    }
}
