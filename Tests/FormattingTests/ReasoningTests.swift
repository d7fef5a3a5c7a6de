import Formatting
import Testing

@Suite("Reasoning taken off an answer")
struct ReasoningTests {
    @Test(
        arguments: [
            ("<think>\nplan\n</think>\n\nHi", "Hi"), ("plan…\n</think>\n\nHi", "Hi"),
            ("<think>a</think>b<think>c</think>d", "d"),
            ("<think>never closed", ""), ("Hi\n<think>more", "Hi\n"), ("<think></think>", ""), ("Hi", "Hi"),
            ("a < b", "a < b"),
            ("Models write `<think>` and `</think>`.", "Models write `<think>` and `</think>`."),
            ("The <think> tag opens it.", "The <think> tag opens it."), ("  leading", "  leading"), ("", ""),
        ])
    func `only the answer is left`(text: String, answer: String) {
        #expect(Reasoning.removed(from: text) == answer)
    }
}
