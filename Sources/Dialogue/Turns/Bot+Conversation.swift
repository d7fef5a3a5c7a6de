import Domain
import Runtime
import Storage

/// NEW, STOP, RETRY and ASK: a conversation is an account in a place, and they mean the one they are said in.
extension Bot {
    // MARK: Deciding

    func startAfresh(_ speaker: Speaker) -> [Work] {
        guard let account = speaker.login?.account else { return [] }
        return [.startAfresh(speaker, account)]
    }

    /// Ends the account's running turn, wherever its answer is: waiting, coming in, or being said.
    func stop(_ speaker: Speaker) -> [Work] {
        guard let account = speaker.login?.account, let turn = turns.first(of: Asker(account.id, in: speaker.place))
        else {
            return notice(Phrases.nothingToStop, to: speaker)
        }
        gathering.close(turn)
        turns.stop(turn)
        return notice(Phrases.stopping, to: speaker)
    }

    func retry(_ speaker: Speaker) -> [Work] {
        guard let account = speaker.login?.account, let visit = speaker.visit else { return [] }
        return [.retry(speaker, visit, account)]
    }

    func ask(_ speaker: Speaker, _ words: [String]) -> [Work] {
        guard let account = speaker.login?.account, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        let question = words.joined(separator: " ")
        guard question.isVisible else { return notice(Phrases.askWhat(bot), to: speaker) }
        return admit(question, in: speaker.place, speaker, visit, account, gathered: .lineEnd)
    }

    // MARK: Doing

    func startAfresh(_ speaker: Speaker, _ account: Account) async {
        turns.beginAfresh(account.id)
        defer { turns.endAfresh(account.id) }
        do {
            try await store.startAfresh(account.id, network: speaker.connection.network, place: speaker.place)
            await perform(notice(Phrases.afresh(speaker.place), to: speaker))
        } catch {
            log.storeFailed(error, during: "NEW", of: account.name)
            await perform(notice(Phrases.storeFailed, to: speaker))
        }
    }

    func retry(_ speaker: Speaker, _ visit: VisitID, _ account: Account) async {
        do {
            let last = try await store.lastExchange(
                of: account.id, network: speaker.connection.network, place: speaker.place)
            guard let last else { return await perform(notice(Phrases.nothingToRetry(speaker.place), to: speaker)) }
            guard last.state != .pending else { return await perform(notice(Phrases.stillAnswering, to: speaker)) }
            // Whoever is gone, or logged out, asks nothing any more.
            guard roster.login(of: visit, now: time.now())?.account.id == account.id else { return }
            await perform(admit(last.question, in: speaker.place, speaker, visit, account, retryOf: last.number))
        } catch {
            log.storeFailed(error, during: "RETRY", of: account.name)
            await perform(notice(Phrases.storeFailed, to: speaker))
        }
    }
}
