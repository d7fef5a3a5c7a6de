import Domain
import Testing

@testable import Completions

struct PromptTemplateTests {
    private let prompt = Prompt(
        system: "Be {question}.",
        history: [.init(question: "1?", answer: "one"), .init(question: "2?", answer: "two")],
        question: "what is {history}?")

    @Test func `the standard form`() {
        #expect(
            PromptTemplate(PromptTemplate.standard).text(for: prompt)
                == "Be {question}.\n\nUser: 1?\nAssistant: one\nUser: 2?\nAssistant: two\nUser: what is {history}?\nAssistant:"
        )
    }

    @Test func `a template of one's own gives the history its form`() {
        let template = PromptTemplate("{history}Q: {question}\nA: ")
        #expect(template.text(for: prompt) == "Q: 1?\nA: one\nQ: 2?\nA: two\nQ: what is {history}?\nA: ")
        #expect(template.inventedTurn == "\nQ:")
    }

    @Test func `a template without history has none`() {
        let template = PromptTemplate("{system} > {question} {x} {")
        #expect(template.text(for: prompt) == "Be {question}. > what is {history}? {x} {")
    }

    @Test func `nothing marks a turn where the question stands bare`() {
        #expect(PromptTemplate("{question}").inventedTurn == nil)
        #expect(PromptTemplate(PromptTemplate.standard).inventedTurn == "\nUser:")
    }
}
