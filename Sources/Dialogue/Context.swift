import Domain

/// Fits a conversation into what the model takes.
enum Context {
    /// The most turns ever looked at; more than fit a usual context.
    static let longest = 100
    /// Roles and separators around a text.
    private static let overhead = 4

    /// An estimate, on the high side, of a text's tokens: four ASCII letters to a token, any other letter one of its own.
    /// No tokenizer is at hand, since the model may be any.
    static func tokens(of text: String) -> Int {
        var ascii = 0
        var others = 0
        for scalar in text.unicodeScalars { if scalar.isASCII { ascii += 1 } else { others += 1 } }
        return (ascii + 3) / 4 + others
    }

    /// The latest turns, oldest first, that fit beside the system prompt, the question and the room for the answer. The
    /// question is kept whatever its length: the API says so if it is too long.
    static func fitting(
        _ history: [Prompt.Turn], system: String, question: String, contextTokens: Int, maxTokens: Int
    ) -> [Prompt.Turn] {
        var room = contextTokens - maxTokens - tokens(of: system) - tokens(of: question) - 2 * overhead
        var kept: [Prompt.Turn] = []
        for turn in history.reversed() {
            room -= tokens(of: turn.question) + tokens(of: turn.answer) + 2 * overhead
            guard room >= 0 else { break }
            kept.append(turn)
        }
        return kept.reversed()
    }
}
