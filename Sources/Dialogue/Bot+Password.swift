import Domain
import Passwords
import Runtime
import Storage

/// PASSWORD, and passwords that were said where others read them.
///
/// A password said in public is not taken for one any more until it is changed. Who may change it: whoever is logged in to
/// the account, and whoever said it, from the same address, since people do so before they have logged in. To everybody
/// else who read it, it opens nothing. That it was the password is found by checking it, so that nobody can lock the
/// account of another by typing nonsense.
extension Bot {
    // MARK: Deciding

    func changePassword(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        let usage = Command.usage(of: "PASSWORD")
        guard arguments.count == 2 || (speaker.login == nil && arguments.count == 3) else {
            return notice(Phrases.passwordUsage(usage, bot), to: speaker)
        }
        guard let visit = speaker.visit else { return notice(Phrases.sharesNoChannel, to: speaker) }
        let login = speaker.login?.account.name.folded ?? (arguments.count == 3 ? arguments[0] : speaker.nick.spelling)
        let words = arguments.suffix(2).map { Secret($0) }
        guard words[1].characterCount >= settings.minPasswordLength else {
            return notice(Phrases.newPasswordTooShort(settings.minPasswordLength), to: speaker)
        }
        guard CaseMapping.ascii.fold(words[1].reveal()) != CaseMapping.ascii.fold(login),
            words[0].reveal() != words[1].reveal()
        else { return notice(Phrases.newPasswordIsNone, to: speaker) }
        held[visit] = []
        return [
            .changePassword(
                PasswordRequest(
                    speaker: speaker, visit: visit, login: login, isLoggedIn: speaker.login != nil, old: words[0],
                    new: words[1]))
        ]
    }

    /// What to do about a password said in a channel. The account is the speaker's own, or the one that the line or the
    /// nick names; a line that names none is of no use to anybody.
    func exposed(_ text: String, _ speaker: Speaker) -> [Work] {
        let line = TypedLine(
            text, names: [ownNick(on: speaker.connection).folded], mapping: mapping(of: speaker.connection))
        let words = line.arguments.filter { !$0.isEmpty }
        guard !words.isEmpty, !isWindingDown else { return [] }
        let named = words.count > 1 ? words.first { AccountName($0) != nil || EmailAddress($0) != nil } : nil
        var logins = [speaker.login?.account.name.folded, named, speaker.nick.spelling].compactMap { $0 }
        logins = logins.enumerated().filter { logins.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        // The last word first: that is where LOGIN has its password. What can be none costs no hash and counts as no guess.
        let folded = [speaker.login?.account.name.folded, CaseMapping.ascii.fold(speaker.nick.spelling)]
        let candidates = words.reversed()
            .filter { $0.count >= settings.minPasswordLength && EmailAddress($0) == nil }
            .filter { !folded.contains(CaseMapping.ascii.fold($0)) }
            .prefix(Self.mostCandidates).map { Secret($0) }
        guard !candidates.isEmpty else { return [] }
        return [.exposed(ExposedPassword(speaker: speaker, logins: logins, candidates: Array(candidates)))]
    }

    /// Words of a line that are tried; each costs a hash.
    private static let mostCandidates = 3

    // MARK: Doing

    func changePassword(_ request: PasswordRequest) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.visit)
    }

    private func outcome(of request: PasswordRequest) async -> [String] {
        let bot = ownNick(on: request.speaker.connection)
        do {
            let found = try await store.credentials(for: request.login)
            if !request.isLoggedIn, found?.exposedBy != request.speaker.source || found?.isDisabled == true {
                return Phrases.notLoggedIn(bot)
            }
            switch try await check(request.old, of: found, login: request.login, request.speaker) {
            case .wait(let wait): return Phrases.tooManyGuesses(wait)
            case .differs: return Phrases.oldPasswordIsWrong
            case .matches: break
            }
            guard let found else { return Phrases.oldPasswordIsWrong }
            let hash = try await passwords.hash(request.new)
            guard let account = try await store.changePassword(hash: hash, of: found.account.id) else {
                return Phrases.notLoggedIn(bot)
            }
            log.info("A password was changed", ["account": account.name])
            let isHere = await admit(request.visit, to: account, by: request.new)
            await endLogins(of: account.id, .passwordChanged, except: request.visit)
            return Phrases.passwordChanged(account.name, isLoggedIn: isHere)
        } catch {
            return explain(error, during: "PASSWORD", request.speaker)
        }
    }

    /// Finds out whether a password was said, and closes it if so.
    ///
    /// Of one's own account one line at a time is checked, and what comes meanwhile is taken for the password unchecked: who
    /// floods can harm nobody else by it. Guesses at accounts of others count like any.
    func noteExposed(_ exposed: ExposedPassword) async {
        let own = exposed.speaker.login?.account
        do {
            if let own {
                guard memory.checkingExposed.insert(own.id).inserted else {
                    return try await expose(own, exposed.speaker)
                }
            }
            defer { if let own { memory.checkingExposed.remove(own.id) } }
            for login in exposed.logins {
                guard let found = try await store.credentials(for: login), found.exposedBy == nil else { continue }
                for candidate in exposed.candidates {
                    switch try await check(
                        candidate, of: found, login: login, exposed.speaker, isGuess: found.account.id != own?.id)
                    {
                    case .matches: return try await expose(found.account, exposed.speaker)
                    case .differs: continue
                    case .wait: return
                    }
                }
            }
        } catch {
            logUnlessStored(error, own)
        }
    }

    func expose(_ account: Account, _ speaker: Speaker) async throws(StoreFailure) {
        try await store.exposePassword(of: account.id, by: speaker.source)
        log.warning(
            "A password was said in a channel, and opens nothing until it is changed",
            ["network": speaker.connection.network, "account": account.name])
        let isLoggedIn = speaker.login?.account.id == account.id
        let lines = Phrases.passwordExposed(account.name, isLoggedIn: isLoggedIn, ownNick(on: speaker.connection))
        await perform(notice(lines, to: speaker.addressee))
    }

    private func logUnlessStored(_ error: any Error, _ account: Account?) {
        if let failure = error as? StoreFailure {
            logStoreFailure(failure, during: "closing a password said in public", of: account?.name)
        } else {
            log.error("A password said in public could not be checked", ["error": "\(error)"])
        }
    }
}

/// PASSWORD, as it was typed.
struct PasswordRequest: Sendable {
    let speaker: Speaker
    let visit: VisitID
    /// The account's name.
    let login: String
    let isLoggedIn: Bool
    let old: Secret
    let new: Secret
}

/// What may have been a password, said where others read it.
struct ExposedPassword: Sendable {
    let speaker: Speaker
    /// Accounts whose password it may be, as `LOGIN` would take them.
    let logins: [String]
    let candidates: [Secret]
}
