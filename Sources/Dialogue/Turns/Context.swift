import Domain

/// Fits a conversation into what the model takes.
enum Context {
    /// The most turns ever looked at; more than fit a usual context.
    static let longest = 100
    /// Roles and separators around a text.
    private static let overhead = 4

    /// The latest turns, oldest first, that fit beside the system prompt, the question and the room for the answer. The
    /// question is kept whatever its length: the API says so if it is too long.
    static func fitting(
        _ history: [Prompt.Turn], system: String, question: String, contextTokens: Int, maxTokens: Int
    ) -> [Prompt.Turn] {
        var room = contextTokens - maxTokens - Tokens.estimate(system) - Tokens.estimate(question) - 2 * overhead
        var kept: [Prompt.Turn] = []
        for turn in history.reversed() {
            room -= Tokens.estimate(turn.question) + Tokens.estimate(turn.answer) + 2 * overhead
            guard room >= 0 else { break }
            kept.append(turn)
        }
        return kept.reversed()
    }
}
