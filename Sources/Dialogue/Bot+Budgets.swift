import Domain
import Runtime
import Storage

/// What people may ask, told and kept to.
extension Bot {
    func usage(_ speaker: Speaker) -> [Work] {
        guard let account = speaker.login?.account else { return [] }
        let count = budgets.count(of: .account(account.id), now: time.wall())
        return notice(Phrases.usage(count, budgets.accountLimits), to: speaker)
    }

    /// Counts again what was asked today before the bot was started.
    func restoreBudgets() async {
        do {
            for record in try await store.usage(since: Budgets.day(of: time.wall())) {
                var scopes: [Budgets.Scope] = [.account(record.account), .all]
                if !record.place.isEmpty { scopes.append(.channel(record.network, record.place)) }
                budgets.asked(scopes, at: record.askedAt)
                budgets.spent(record.tokens, by: scopes, at: record.askedAt)
            }
        } catch {
            logStoreFailure(error, during: "counting what was asked today")
        }
    }

    func spent(_ completion: Completion, _ turn: Turn) {
        let estimate = Budgets.tokens(question: turn.question, answer: completion.text)
        let isTold = completion.promptTokens != nil || completion.completionTokens != nil
        let tokens = isTold ? (completion.promptTokens ?? 0) + (completion.completionTokens ?? 0) : estimate
        budgets.spent(tokens, by: scopes(of: turn), at: turn.askedAt)
    }

    func scopes(of turn: Turn) -> [Budgets.Scope] {
        Budgets.scopes(turn.account.id, turn.speaker.connection.network, turn.place)
    }
}
