import TestKit
import Testing

@testable import Formatting

@Suite("Reasoning taken off an answer")
struct ReasoningTests {
    @Test(
        arguments: [
            ("<think>\nplan\n</think>\n\nHi", "Hi"), ("plan…\n</think>\n\nHi", "Hi"),
            ("<think>a</think>b<think>c</think>d", "b<think>c</think>d"), ("<think>a</think> <think>b</think> c", "c"),
            ("<think>never closed", ""), ("Hi\n<think>more", "Hi\n<think>more"), ("<think></think>", ""), ("Hi", "Hi"),
            ("\n</think>\n\nHi", "Hi"), ("<thi", "<thi"),
            ("a < b", "a < b"),
            ("Models write `<think>` and `</think>`.", "Models write `<think>` and `</think>`."),
            ("The <think> tag opens it.", "The <think> tag opens it."),
            ("It ends with </think>\n\nThen comes more.", "It ends with </think>\n\nThen comes more."),
            ("So:\n```\nplan\n</think>\n\nHi\n```", "So:\n```\nplan\n</think>\n\nHi\n```"),
            ("First\n<think>\nthen\n</think>\n\nHi", "First\n<think>\nthen\n</think>\n\nHi"),
            ("```\n<think>x</think>\n```", "```\n<think>x</think>\n```"),
            ("Use [THINK] and [/THINK].", "Use [THINK] and [/THINK]."), ("  leading", "  leading"), ("", ""),
        ])
    func `only the answer is left`(text: String, answer: String) {
        #expect(Reasoning.removed(from: text) == answer)
    }

    @Test(
        "whatever marks a model has for its thoughts",
        arguments: [
            "<think>plan</think>", "<thinking>plan\n</thinking>\n", "<thought>plan</thought>",
            "<reasoning>plan</reasoning>",
            "[THINK]plan[/THINK]", "◁think▷plan◁/think▷", "<|channel|>analysis<|message|>plan<|end|>",
            "<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>",
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|>"
                + "<|start|>assistant<|channel|>final<|message|>",
            "<|channel|>analysis<|message|>plan<|start|>assistant<|channel|>final<|message|>",
            "<|start|>assistant<|channel|>final<|message|>", "<|START_THINKING|>plan<|END_THINKING|><|START_RESPONSE|>",
            "<|im_start|>assistant\n<think>\n\n</think>\n\n", "<think>a</think><thinking>b</thinking>",
        ])
    func marks(thoughts: String) {
        #expect(Reasoning.removed(from: thoughts + "Paris.") == "Paris.")
        for size in 1...7 { #expect(filtered(pieces(of: thoughts + "Paris.", size)) == "Paris.", "by \(size)") }
    }

    private func pieces(of text: String, _ size: Int) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return stride(from: 0, to: scalars.count, by: size).map { start in
            String(String.UnicodeScalarView(scalars[start..<min(start + size, scalars.count)]))
        }
    }

    /// What is there of the answer when something is, and the rest as it came.
    private func filtered(_ pieces: [String]) -> String {
        var filter = Reasoning.Filter()
        var answer: String?
        for piece in pieces {
            if answer == nil { answer = filter.answer(after: piece) } else { answer? += piece }
        }
        return answer ?? filter.rest
    }

    @Test(arguments: [
        ("<think>\nplan\n</think>\n\nHi", "Hi"), ("\n <think>a `</think>` b</think>\n<think>c</think> d", "d"),
        ("<think></think>42", "42"), ("<think>`</think>", ""), ("<thinner> is no tag", "<thinner> is no tag"),
        ("    code = 1\n", "    code = 1\n"), ("\u{E9}t\u{E9} < 5 </b>", "\u{E9}t\u{E9} < 5 </b>"), (" \n", " \n"),
        ("<think>never closed </thin", ""),
    ])
    func `the answer begins at the same place however the text is cut`(text: String, answer: String) {
        for size in 1...text.unicodeScalars.count { #expect(filtered(pieces(of: text, size)) == answer, "by \(size)") }
    }

    @Test func `any text of marks, quotes and words begins where it does as a whole`() {
        var generator = SeededGenerator(seed: 7)
        let words = [
            "<think>", "</think>", "`", " ", "word", "<", "</thi", "nk>", "[THINK]", "[/THINK]", "<|channel|>",
            "analysis",
            "final", "<|message|>", "<|end|>", "<|start|>", "assistant", "<thought>", "</thought>",
        ]
        for _ in 1...20_000 {
            let count = Int.random(in: 1...10, using: &generator)
            let pieces = (1...count).map { _ in words[Int.random(in: words.indices, using: &generator)] }
            #expect(filtered(pieces) == Reasoning.removed(from: pieces.joined()), "\(pieces)")
        }
    }

    @Test func `thoughts are looked at once, however long they are`() {
        var filter = Reasoning.Filter()
        #expect(filter.answer(after: "<think>") == nil)
        for _ in 1...10_000 {
            #expect(filter.answer(after: "and then `</think>` again < ") == nil)
            #expect(filter.kept.count <= 8)
        }
        #expect(filter.answer(after: "</think>It is so.") == "It is so.")
    }
}
