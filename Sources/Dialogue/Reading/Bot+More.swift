import Domain
import Runtime
import Storage

/// MORE: the rest of a long answer, and answers that could not be said, page by page to their asker alone.
extension Bot {
    func more(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let visit = speaker.visit else { return [] }
        let number = arguments.first.flatMap { Int($0) }
        guard arguments.isEmpty || number != nil else {
            return notice(Phrases.moreNumber(ownNick(on: speaker.connection)), to: speaker)
        }
        return [.more(speaker, visit, number: number)]
    }

    /// Pages of one account come one after the other, so that each begins where the one before it ended.
    func showMore(_ speaker: Speaker, _ visit: VisitID, _ number: Int?) async {
        guard let account = speaker.login?.account else { return }
        guard readings.add(page: number, of: account.id) else { return }
        while let number = readings.page(of: account.id) {
            do {
                try await showPage(of: number, visit, account)
            } catch {
                log.storeFailed(error, during: "MORE", of: account.name)
                await say(Phrases.storeFailed, to: visit, account)
            }
            readings.turnPage(of: account.id)
        }
    }

    private func showPage(of number: Int?, _ visit: VisitID, _ account: Account) async throws(StoreFailure) {
        guard let answer = try await store.unread(of: account.id, number: number) else {
            let lines = number.map(Phrases.noSuchAnswer) ?? Phrases.nothingMore
            return await say(lines, to: visit, account)
        }
        let preferences = account.preferences
        let whole = Rendition(answer.answer, isCut: answer.isCut, format: format(preferences))
        var rendition = whole.rest(from: answer.said)
        if rendition.lines.isEmpty {
            // All of it was said, whatever place was noted.
            guard number != nil else {
                try await store.note(SayingProgress(), of: answer.exchange)
                return try await showPage(of: nil, visit, account)
            }
            rendition = whole
        }
        guard let nick = nick(of: visit, account) else { return }
        let page = Utterance(
            on: visit.connection, to: .nick(nick), at: roster.visit(visit)?.person?.address, form: .notice,
            urgency: .listing,
            prefix: "[\(answer.number)] " + mark(on: visit.connection),
            lines: rendition.lines, code: rendition.codeLines, isFormatted: rendition.format == .irc,
            maxLines: maxLines(preferences),
            continuation: Phrases.more(ownNick(on: visit.connection)))
        let reach = await reach(of: page, rendition)
        try await store.note(await progress(of: page, rendition, reach), of: answer.exchange)
        let clearance = clearance(of: page, rendition, reach, answer.exchange)
        // Whoever came to have the nick meanwhile does not get the page.
        guard self.nick(of: visit, account) == nick, case .sent = await link.speak(page, by: clearance) else {
            return try await store.note(SayingProgress(rest: answer.said), of: answer.exchange)
        }
    }

    private func say(_ lines: [String], to visit: VisitID, _ account: Account) async {
        guard let nick = nick(of: visit, account) else { return }
        await say(lines, to: Lane(connection: visit.connection, nick: nick), .notice)
    }

    /// Where the person is now; nil where they have gone or are not logged in to the account any more.
    private func nick(of visit: VisitID, _ account: Account) -> Nick? {
        guard roster.login(of: visit, now: time.now())?.account.id == account.id else { return nil }
        return roster.visit(visit)?.nick
    }

    /// What to say at a login about answers that could not be said.
    func unreadNotice(of account: Account, on connection: ConnectionID) async -> [String] {
        do {
            let count = try await store.undeliveredCount(of: account.id)
            return count > 0 ? [Phrases.waiting(count, ownNick(on: connection))] : []
        } catch {
            log.storeFailed(error, during: "counting undelivered answers", of: account.name)
            return []
        }
    }
}
