import Domain
import Testing

@testable import Dialogue

@Suite struct ContextTests {
    private let turns = (1...10).map {
        Prompt.Turn(question: "question \($0)", answer: String(repeating: "a", count: 400))
    }

    @Test func `the latest turns are kept, oldest first, as far as they fit`() {
        let kept = Context.fitting(turns, system: "Be brief.", question: "why?", contextTokens: 512, maxTokens: 100)
        #expect(kept == turns.suffix(3))
    }

    @Test func `room for the answer is kept free`() {
        let all = Context.fitting(turns, system: "", question: "", contextTokens: 100_000, maxTokens: 1000)
        #expect(all == turns)
        #expect(Context.fitting(turns, system: "", question: "", contextTokens: 1100, maxTokens: 1090) == [])
    }

    @Test func `a question larger than the context leaves no room for anything else`() {
        let long = String(repeating: "x", count: 100_000)
        #expect(Context.fitting(turns, system: "", question: long, contextTokens: 4096, maxTokens: 512) == [])
    }
}
