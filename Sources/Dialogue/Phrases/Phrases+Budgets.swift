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
            case .questionsPerMinute: counted(refusal.limit, "question") + " a minute"
            case .questionsPerDay: counted(refusal.limit, "question") + " a day"
            case .tokensPerDay: counted(refusal.limit, "token") + " a day"
            }
        return [
            "I take \(amount) \(whose), and that is reached. I did not take this one; ask again in \(long(refusal.wait))."
        ]
    }

    static func usage(_ count: Budgets.Count, _ limits: BudgetLimits) -> [String] {
        let parts = [
            limits.questionsPerMinute.map { counted($0, "question") + " a minute" },
            limits.questionsPerDay.map { counted($0, "question") + " a day" },
            limits.tokensPerDay.map { counted($0, "token") + " a day" },
        ].compactMap(\.self)
        let limit = parts.isEmpty ? "You have no limits." : "You may have \(parts.joined(separator: ", "))."
        return [
            "Since midnight UTC you asked \(counted(count.questions, "question")), which cost"
                + " \(counted(count.tokens, "token")). \(limit)"
        ]
    }

    /// Like `duration`, and hours where there are many minutes.
    private static func long(_ wait: Duration) -> String {
        wait.whole(60_000) <= 90 ? duration(wait) : "\(wait.whole(3_600_000)) hours"
    }
}
