import Accounts
import Domain
import Storage

/// RESET and VERIFY: what the account's e-mail address is good for.
///
/// Whoever asks for a reset hears the same whether there is such an account or not, and at once: the look-up and the mail
/// come afterwards.
extension Bot {
    // MARK: Deciding

    func reset(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        guard desk.mailroom.isOpen else { return notice(Phrases.noMail, to: speaker) }
        switch arguments.count {
        case 1:
            if let visit = speaker.visit { deferred.hold(visit) }
            return [.account(.askForReset(login: arguments[0], speaker))]
        case 3:
            let new = Secret(arguments[2])
            guard new.characterCount >= settings.minPasswordLength else {
                return notice(Phrases.newPasswordTooShort(settings.minPasswordLength), to: speaker)
            }
            guard CaseMapping.ascii.fold(arguments[2]) != CaseMapping.ascii.fold(arguments[0]) else {
                return notice(Phrases.newPasswordIsNone, to: speaker)
            }
            if let visit = speaker.visit { deferred.hold(visit) }
            let code = Secret(arguments[1])
            return [.account(.reset(.init(speaker: speaker, login: arguments[0], code: code, new: new)))]
        default:
            return notice(Phrases.resetUsage(bot), to: speaker)
        }
    }

    func verify(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        guard desk.mailroom.isOpen else { return notice(Phrases.noMail, to: speaker) }
        if login.account.isEmailVerified { return notice(Phrases.isVerified, to: speaker) }
        return change(
            arguments.first.map { .verify(Secret($0)) } ?? .askToVerify, speaker, visit, login.account)
    }

    // MARK: Doing

    func askForReset(of login: String, _ speaker: Speaker) async {
        let wait = await desk.mailroom.admitReset(from: speaker.origin)
        let lines = wait.map(Phrases.tooManyResets) ?? Phrases.resetRequested(login, ownNick(on: speaker.connection))
        await perform(notice(lines, to: speaker))
        await release(speaker.visit, beside: wait == nil ? [.account(.mailReset(login: login, speaker))] : [])
    }

    func mailReset(of login: String, _ speaker: Speaker) async {
        do {
            try await desk.mailroom.sendReset(login, from: speaker.origin, bot: ownNick(on: speaker.connection))
        } catch {
            log.storeFailed(error, during: "RESET")
        }
    }

    func reset(_ request: AccountRequest.Reset) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.speaker.visit)
    }

    private func outcome(of request: AccountRequest.Reset) async -> [String] {
        let speaker = request.speaker
        do {
            let outcome = try await desk.logins.reset(
                request.login, by: request.code, to: request.new, from: speaker.origin)
            switch outcome {
            case .wait(let wait): return Phrases.tooManyGuesses(wait)
            case .wrong, .mayNot: return Phrases.codeIsWrong(ownNick(on: speaker.connection))
            case .changed(let changed):
                let account = changed.account
                forgetLinks(of: account.id)
                await endLogins(of: account.id, .passwordChanged)
                var isHere = false
                if let visit = speaker.visit { isHere = await admit(visit, to: account, by: request.new) }
                return Phrases.passwordChanged(account.name, isLoggedIn: isHere, endedLinks: changed.endedLinks)
            }
        } catch {
            return explain(error, during: "RESET", speaker)
        }
    }
}
