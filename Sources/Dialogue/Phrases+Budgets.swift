import Domain
import Runtime

/// What the bot says about limits.
extension Phrases {
    static func refused(_ refusal: Budgets.Refusal) -> [String] {
        let whose =
            switch refusal.scope {
            case .account: "from one person"
            case .channel: "from this channel"
            case .all: "from all people together"
            }
        let amount =
            switch refusal.measure {
            case .questionsPerMinute: "\(refusal.limit) questions a minute"
            case .questionsPerDay: "\(refusal.limit) questions a day"
            case .tokensPerDay: "\(refusal.limit) tokens a day"
            }
        return [
            "I take \(amount) \(whose), and that is reached. I did not take this one; ask again in \(long(refusal.wait))."
        ]
    }

    static func usage(_ count: Budgets.Count, _ limits: BudgetLimits) -> [String] {
        let parts = [
            limits.questionsPerMinute.map { "\($0) questions a minute" },
            limits.questionsPerDay.map { "\($0) questions a day" }, limits.tokensPerDay.map { "\($0) tokens a day" },
        ].compactMap(\.self)
        let limit = parts.isEmpty ? "You have no limits." : "You may have \(parts.joined(separator: ", "))."
        return [
            "Since midnight UTC you asked \(count.questions) questions, which cost \(count.tokens) tokens. \(limit)"
        ]
    }

    /// Like `duration`, and hours where there are many minutes.
    private static func long(_ wait: Duration) -> String {
        wait.whole(60_000) <= 90 ? duration(wait) : "\(wait.whole(3_600_000)) hours"
    }
}
