import Formatting
import Testing

@Suite struct ControlTokensTests {
    @Test(
        "at the end of an answer they go",
        arguments: [
            "<|im_end|>", "</s>", "<|eot_id|>", "<end_of_turn>", "<|endoftext|>", "<|end|>", "<|return|>",
            "\n<|im_end|>\n",
            " </s>", "</s></s></s>", "<|eot_id|><|im_end|>\n",
        ])
    func gone(tokens: String) {
        for text in ["Paris.", "日本。", "It is **so**", "```\nx = 1\n```"] {
            let answer = ModelText.answer(in: text + tokens)
            #expect(Markdown.plainLines(answer) == Markdown.plainLines(text))
        }
    }

    @Test(
        "spoken about they stay",
        arguments: [
            "The turn ends with <|im_end|>", "Models write `</s>`", "`<|im_end|>", "He wrote \"</s>\"", "<s>12</s>",
            "<|im_end|> ends a turn.", "```\n<|im_end|>\n```", "```\nprint(x)<|im_end|>", "Between <s> and </s> it is.",
        ])
    func stay(text: String) {
        #expect(ModelText.answer(in: text) == text)
    }

    @Test func `while an answer comes in they are not said`() {
        for text in ["Paris.<|im_end|>", "Paris.\n\n<|im_end|>\n\n", "Paris. </s>\n\n"] {
            var settled = SettledMarkdown()
            for scalar in text.unicodeScalars {
                settled.append(String(scalar))
                #expect(!settled.prefix.contains("<"))
            }
        }
    }

    @Test func `a hundred thousand of them cost little`() {
        #expect(ModelText.answer(in: "x" + String(repeating: "</s>", count: 100_000)) == "x")
    }
}
