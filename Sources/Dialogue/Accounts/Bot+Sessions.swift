import Accounts
import Domain
import Runtime
import Storage

/// The logins of an account: told, listed and ended.
extension Bot {
    // MARK: Deciding

    func sessions(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        let all = roster.logins(of: login.account.id)
        guard let word = arguments.dropFirst().first?.uppercased() else {
            return notice(Phrases.sessions(all, own: visit, now: time.now(), bot), to: speaker)
        }
        if word == "ALL" || word == "OTHERS" { return change(.endLinks, speaker, visit, login.account) }
        // Counted from 1; no arithmetic on what somebody types.
        let chosen = Int(word).flatMap { number in all.indices.first { $0 + 1 == number } }
        guard let chosen, all[chosen].id != visit else { return notice(Phrases.noSuchSession(bot), to: speaker) }
        return logOut([all[chosen]], .endedElsewhere) + notice(Phrases.sessionsEnded(1, links: 0), to: speaker)
    }

    /// Ends these logins, and what follows from that.
    func logOut(_ visits: [Visit], _ reason: EndedLogin.Reason) -> [Work] {
        visits.compactMap { roster.logOut($0.id, reason) }.flatMap(afterwards)
    }

    func whoAmI(_ login: Login, _ speaker: Speaker) -> [String] {
        Phrases.whoAmI(
            login, speaker.person, speaker.connection.network, ends: login.startedAt + roster.limits.age - time.now(),
            others: roster.logins(of: login.account.id).count - 1)
    }

    // MARK: Doing

    /// Tells the other logins of an account about a new one.
    func tellOthers(of account: Account, about visit: VisitID) async {
        guard let newcomer = roster.visit(visit)?.person else { return }
        var works: [Work] = []
        for other in roster.logins(of: account.id) where other.id != visit {
            let connection = other.id.connection
            let lines = Phrases.alsoLoggedIn(account.name, newcomer, visit.connection.network, ownNick(on: connection))
            works += notice(lines, to: .visit(other.id))
        }
        if !works.isEmpty { await perform(works) }
    }

    /// Ends all logins of an account but the one by which that is asked for; how many there were.
    func endOthers(_ request: AccountRequest.Change) async -> Int {
        let others = roster.logins(of: request.account.id).filter { $0.id != request.visit }
        await perform(logOut(others, .endedElsewhere))
        return others.count
    }

    /// Ends the logins of an account here, but one.
    func endLogins(of account: AccountID, _ reason: EndedLogin.Reason, except visit: VisitID? = nil) async {
        let works = logOut(roster.logins(of: account).filter { $0.id != visit }, reason)
        if !works.isEmpty { await perform(works) }
    }

    /// Whether logins made with this account still hold; where they do not, since somebody changed it from outside, they
    /// end here and now. Where the store cannot tell, they hold.
    func isStillGood(_ account: Account) async -> Bool {
        do {
            if try await store.isGood(account) { return true }
        } catch {
            log.storeFailed(error, during: "looking whether a login still holds", of: account.name)
            return true
        }
        await endLogins(of: account)
        return false
    }

    /// Ends the logins that were made with the account as it no longer is.
    func endLogins(of account: Account) async {
        let outdated = roster.logins(of: account.id).filter { $0.login?.account.loginEpoch == account.loginEpoch }
        await perform(logOut(outdated, .closed))
    }
}
