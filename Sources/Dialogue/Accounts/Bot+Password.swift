import Accounts
import Domain
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
            .account(
                .changePassword(
                    AccountRequest.NewPassword(
                        speaker: speaker, visit: visit, login: login, isLoggedIn: speaker.login != nil, old: words[0],
                        new: words[1])))
        ]
    }

    // MARK: Doing

    func changePassword(_ request: AccountRequest.NewPassword) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.visit)
    }

    private func outcome(of request: AccountRequest.NewPassword) async -> [String] {
        do {
            let outcome = try await desk.logins.changePassword(
                of: request.login, from: request.old, to: request.new, isLoggedIn: request.isLoggedIn,
                origin: request.speaker.origin)
            switch outcome {
            case .wait(let wait): return Phrases.tooManyGuesses(wait)
            case .wrong: return Phrases.oldPasswordIsWrong
            case .mayNot: return Phrases.notLoggedIn(ownNick(on: request.speaker.connection))
            case .changed(let changed):
                let account = changed.account
                forgetLinks(of: account.id)
                let isHere = await admit(request.visit, to: account, by: request.new)
                await endLogins(of: account.id, .passwordChanged, except: request.visit)
                return Phrases.passwordChanged(account.name, isLoggedIn: isHere, endedLinks: changed.endedLinks)
            }
        } catch {
            return explain(error, during: "PASSWORD", request.speaker)
        }
    }
}
