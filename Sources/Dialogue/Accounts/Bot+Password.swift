import Domain
import Passwords
import Runtime
import Storage

/// PASSWORD: by whoever is logged in, and where the old one was said in public, by the owner before logging in.
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
        deferred.hold(visit)
        return [
            .changePassword(
                PasswordRequest(
                    speaker: speaker, visit: visit, login: login, isLoggedIn: speaker.login != nil, old: words[0],
                    new: words[1]))
        ]
    }

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
            if !request.isLoggedIn, !(found.map { mayRenew($0, request.speaker) } ?? false) {
                return Phrases.notLoggedIn(bot)
            }
            switch try await check(request.old, of: found, login: request.login, request.speaker) {
            case .wait(let wait): return Phrases.tooManyGuesses(wait)
            case .differs: return Phrases.oldPasswordIsWrong
            case .matches: break
            }
            guard let found else { return Phrases.oldPasswordIsWrong }
            let hash = try await passwords.hash(
                request.new, for: PasswordHasher.Caller(request.speaker.source, isKnown: true))
            guard let changed = try await store.changePassword(hash: hash, of: found.account.id) else {
                return Phrases.notLoggedIn(bot)
            }
            let account = changed.account
            forgetLinks(of: account.id)
            log.info("A password was changed", ["account": account.name])
            let isHere = await admit(request.visit, to: account, by: request.new)
            await endLogins(of: account.id, .passwordChanged, except: request.visit)
            return Phrases.passwordChanged(account.name, isLoggedIn: isHere, endedLinks: changed.endedLinks)
        } catch {
            return explain(error, during: "PASSWORD", request.speaker)
        }
    }

    /// Whether somebody who is not logged in may give the account another password: one that was said in public, from an
    /// address where the account has logged in before. Who shares a host with whoever said it may be a reader.
    private func mayRenew(_ found: Credentials, _ speaker: Speaker) -> Bool {
        found.exposedBy != nil && !found.isDisabled && isHome(of: found, speaker)
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
