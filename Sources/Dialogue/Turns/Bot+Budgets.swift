import Domain
import Runtime
import Storage

/// What people may ask, told and kept to.
extension Bot {
    func usage(_ speaker: Speaker) -> [Work] {
        guard let account = speaker.login?.account else { return [] }
        let count = budgets.count(of: .account(account.id), now: moment())
        return notice(Phrases.usage(count, budgets.accountLimits), to: speaker)
    }

    /// Now, as limits count it.
    func moment() -> Moment { date.moment(now: time.now(), wall: time.wall()) }

    /// Counts again what was asked today before the bot was started.
    func restoreBudgets() async {
        let now = moment()
        let (start, end) = Budgets.countedToday(now)
        do {
            budgets.restore(try await store.usage(from: start, to: end), at: now)
        } catch {
            log.storeFailed(error, during: "counting what was asked today")
        }
    }

    /// Also of answers that broke off or were ended: what came of them was paid for.
    func spent(_ tokens: Int, _ turn: Turn) {
        let scopes = Budgets.scopes(turn.account.id, turn.speaker.connection.network, turn.place.key)
        budgets.spent(tokens, by: scopes, at: turn.countedAt)
    }
}

extension Budgets {
    /// What an answer costs: as the API counts it, else estimated from what came, a model's thoughts included; nothing
    /// where nothing came.
    static func tokens(of answer: CompletionEnd, to question: String) -> Int {
        switch answer {
        case .finished(let completion):
            guard completion.promptTokens == nil && completion.completionTokens == nil else {
                return (completion.promptTokens ?? 0).addingSaturated(completion.completionTokens ?? 0)
            }
            return Tokens.estimate(question) + Tokens.estimate(completion.text)
        case .failed(let failure):
            return failure.partial.isEmpty ? 0 : Tokens.estimate(question) + Tokens.estimate(failure.partial)
        case .stopped(let partial):
            return partial.isEmpty ? 0 : Tokens.estimate(question) + Tokens.estimate(partial)
        }
    }
}
