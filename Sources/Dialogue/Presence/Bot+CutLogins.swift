import Domain
import Runtime
import Storage

/// A login that ended because the bot was away, and nothing its owner did.
struct CutLogin: Sendable {
    let account: AccountName
    /// The bot itself ended; else only its connection did.
    let isByRestart: Bool
}

/// Whose login ended by a restart, or with the bot's connection, is told so at their first line afterwards, once: they
/// would not know why nobody answers.
extension Bot {
    /// So long after the login nobody expects to be logged in still.
    private static let cutLoginsLast: Duration = .seconds(24 * 3600)
    private static let maxCutLogins = 10_000

    // MARK: Deciding

    /// Told to somebody who speaks for the first time since. Whoever logs in anyway needs no telling.
    func cutLogin(_ speaker: Speaker, isLoggingIn: Bool) -> [Work] {
        guard speaker.login == nil, !memory.cutLogins.isEmpty else { return [] }
        let key = OpenLogin(
            network: speaker.connection.network, nick: speaker.nick, address: speaker.person.address)
        guard let cut = memory.cutLogins.removeValue(forKey: key) else { return [] }
        guard !isLoggingIn else { return [.noteClosed(key)] }
        // That is how to start.
        _ = courtesy.allows(
            .howToStart, to: speaker.nick, on: speaker.connection, every: .seconds(300), now: time.now())
        return [.noteClosed(key)] + notice(Phrases.cutLogin(cut, ownNick(on: speaker.connection)), to: speaker)
    }

    /// A login is over; where the bot was cut off from it, that will be told.
    func noteEnd(of login: EndedLogin) -> [Work] {
        guard let key = memory.openLogins.removeValue(forKey: login.visit) else { return [] }
        guard roster.presence(on: login.visit.connection) == nil else { return [.noteClosed(key)] }
        if memory.cutLogins.count < Self.maxCutLogins {
            memory.cutLogins[key] = CutLogin(account: login.account.name, isByRestart: false)
        }
        return []
    }

    // MARK: Doing

    func loadCutLogins() async {
        do {
            let start = time.wall() + (.zero - Self.cutLoginsLast)
            for (login, account) in try await store.openLogins(since: start) {
                memory.cutLogins[login] = CutLogin(account: account, isByRestart: true)
            }
        } catch {
            log.storeFailed(error, during: "reading whose logins a restart ended")
        }
    }

    /// Also under another nick: the row of the former one goes.
    func noteOpen(_ visit: VisitID) async {
        guard let login = roster.visit(visit)?.login, let person = roster.visit(visit)?.person else { return }
        let key = OpenLogin(network: visit.connection.network, nick: person.nick, address: person.address)
        let former = memory.openLogins.updateValue(key, forKey: visit)
        memory.cutLogins[key] = nil
        do {
            if let former, former != key { try await store.noteClosed(former) }
            try await store.noteOpen(key, of: login.account.id, at: time.wall())
        } catch {
            log.storeFailed(error, during: "noting a login", of: login.account.name)
        }
    }

    func noteClosed(_ login: OpenLogin) async {
        do {
            try await store.noteClosed(login)
        } catch {
            log.storeFailed(error, during: "noting the end of a login")
        }
    }
}
