import TestKit
import Testing

@testable import Formatting

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

    /// What is there of the answer when something is, and the rest as it came.
    private func filtered(_ pieces: [String]) -> String {
        var filter = Reasoning.Filter()
        var answer: String?
        for piece in pieces {
            if answer == nil { answer = filter.answer(after: piece) } else { answer? += piece }
        }
        return answer ?? ""
    }

    @Test(arguments: [
        ("<think>\nplan\n</think>\n\nHi", "Hi"), ("\n <think>a `</think>` b</think>\n<think>c</think> d", "d"),
        ("<think></think>42", "42"), ("<think>`</think>", ""), ("<thinner> is no tag", "<thinner> is no tag"),
        ("    code = 1\n", "    code = 1\n"), ("\u{E9}t\u{E9} < 5 </b>", "\u{E9}t\u{E9} < 5 </b>"), (" \n", ""),
        ("<think>never closed </thin", ""),
    ])
    func `the answer begins at the same place however the text is cut`(text: String, answer: String) {
        let scalars = Array(text.unicodeScalars)
        for size in 1...scalars.count {
            let pieces = stride(from: 0, to: scalars.count, by: size).map { start in
                String(String.UnicodeScalarView(scalars[start..<min(start + size, scalars.count)]))
            }
            #expect(filtered(pieces) == answer, "\(pieces)")
        }
    }

    @Test func `any text of marks, quotes and words begins where it does as a whole`() {
        var generator = SeededGenerator(seed: 7)
        let words = ["<think>", "</think>", "`", " ", "\n", "word", "<", "</thi", "nk>"]
        for _ in 1...5000 {
            let count = Int.random(in: 1...8, using: &generator)
            let pieces = (1...count).map { _ in words[Int.random(in: words.indices, using: &generator)] }
            var filter = Reasoning.Filter()
            var soFar = ""
            for piece in pieces {
                soFar += piece
                guard let answer = filter.answer(after: piece) else { continue }
                #expect(answer == Reasoning.removed(from: soFar), "\(pieces)")
                break
            }
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
