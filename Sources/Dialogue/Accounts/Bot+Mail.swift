import Domain
import Passwords
import Runtime
import Storage

/// RESET and VERIFY: what the account's e-mail address is good for.
///
/// Whoever asks for a reset hears the same whether there is such an account or not, and at once: the look-up and the mail
/// come afterwards.
extension Bot {
    static let codeLife: Duration = .seconds(1800)

    // MARK: Deciding

    func reset(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        guard sendMail != nil else { return notice(Phrases.noMail, to: speaker) }
        switch arguments.count {
        case 1:
            if let wait = resets.admit(speaker.source, host: speaker.throttleSource, now: time.now()) {
                return notice(Phrases.tooManyResets(wait), to: speaker)
            }
            return notice(Phrases.resetRequested(arguments[0], bot), to: speaker)
                + [.sendReset(speaker, login: arguments[0])]
        case 3:
            let new = Secret(arguments[2])
            guard new.characterCount >= settings.minPasswordLength else {
                return notice(Phrases.newPasswordTooShort(settings.minPasswordLength), to: speaker)
            }
            guard CaseMapping.ascii.fold(arguments[2]) != CaseMapping.ascii.fold(arguments[0]) else {
                return notice(Phrases.newPasswordIsNone, to: speaker)
            }
            if let visit = speaker.visit { deferred.hold(visit) }
            return [.reset(ResetRequest(speaker: speaker, login: arguments[0], code: Secret(arguments[1]), new: new))]
        default:
            return notice(Phrases.resetUsage(bot), to: speaker)
        }
    }

    func verify(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        guard sendMail != nil else { return notice(Phrases.noMail, to: speaker) }
        if login.account.isEmailVerified { return notice(Phrases.isVerified, to: speaker) }
        deferred.hold(visit)
        let kind: AccountChange.Kind = arguments.first.map { .verify(Secret($0)) } ?? .askToVerify
        return [.change(AccountChange(speaker: speaker, visit: visit, account: login.account, kind: kind))]
    }

    /// Whether questions have to wait for the address to be proven.
    func mustVerify(_ account: Account) -> Bool {
        settings.isVerifiedEmailRequired && sendMail != nil && account.email != nil && !account.isEmailVerified
    }

    // MARK: Doing

    func sendReset(login: String, _ speaker: Speaker) async {
        let nick = ownNick(on: speaker.connection)
        do {
            guard let found = try await store.credentials(for: login), !found.isDisabled,
                let email = found.account.email
            else { return }
            // Nobody else's mailbox, where the operator cares to know whose it is.
            guard !settings.isVerifiedEmailRequired || found.account.isEmailVerified else { return }
            let isHome = self.isHome(of: found, speaker)
            try await sendCode(for: .reset, of: found.account, to: email, isHome: isHome) { code in
                Phrases.resetLetter(found.account.name, email, code, nick)
            }
        } catch {
            logStoreFailure(error, during: "RESET")
        }
    }

    func reset(_ request: ResetRequest) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.speaker.visit)
    }

    private func outcome(of request: ResetRequest) async -> [String] {
        let bot = ownNick(on: request.speaker.connection)
        do {
            let now = time.now()
            let source = request.speaker.throttleSource
            // By source alone: codes are too long to be guessed, and nobody may keep another from using theirs.
            let key = "reset \(source)"
            let attempt = GuessThrottle.Attempt(source: source, account: key)
            if let wait = throttle.admit(attempt, now: now) { return Phrases.tooManyGuesses(wait) }
            guard let found = try await store.credentials(for: request.login), !found.isDisabled,
                try await store.useCode(
                    hash: CodeDigest.of(request.code), for: .reset, of: found.account.id, at: time.wall())
            else { return Phrases.codeIsWrong(bot) }
            throttle.takeBack(attempt, admittedAt: now)
            let hash = try await passwords.hash(request.new, for: PasswordHasher.Caller(request.speaker.source))
            guard let changed = try await store.changePassword(hash: hash, of: found.account.id) else {
                return Phrases.codeIsWrong(bot)
            }
            let account = changed.account
            forgetLinks(of: account.id)
            log.info("A password was reset by e-mail", ["account": account.name])
            await endLogins(of: account.id, .passwordChanged)
            var isHere = false
            if let visit = request.speaker.visit { isHere = await admit(visit, to: account, by: request.new) }
            return Phrases.passwordChanged(account.name, isLoggedIn: isHere, endedLinks: changed.endedLinks)
        } catch {
            return explain(error, during: "RESET", request.speaker)
        }
    }

    /// Sends a code to prove the address; not more often than the account's owner could read it.
    func sendVerification(of account: Account, _ nick: Nick) async throws(StoreFailure) -> [String] {
        guard let email = account.email else { return Phrases.noEmail(nick) }
        guard email.isPlain else { return Phrases.emailCannotBeMailed(nick) }
        let isSent = try await sendCode(for: .verify, of: account, to: email, isHome: true) { code in
            Phrases.verifyLetter(account.name, email, code, nick)
        }
        return isSent ? Phrases.verificationSent(email, nick) : Phrases.verificationNotSent
    }

    /// Tells the account's address of what keeps others in it: another address, of which the old one is told, and a link.
    func warnByMail(after change: AccountChange) async {
        let bot = ownNick(on: change.speaker.connection)
        guard let email = change.account.email else { return }
        switch change.kind {
        case .email(let new, _):
            let now = roster.logins(of: change.account.id).first?.login?.account.email
            guard email != new, now == new else { return }
            await warn(change.account, "address changed", Phrases.changedLetter(change.account.name, email, bot))
        case .link(let link, let shown, _):
            guard memory.links[link] == change.account.id else { return }
            let letter = Phrases.linkedLetter(change.account.name, email, shown, link.network, bot)
            await warn(change.account, "linked", letter)
        default: return
        }
    }

    private func warn(_ account: Account, _ purpose: String, _ letter: Letter) async {
        guard let sendMail, letter.to.isPlain, resets.admitWarning(to: account.id, now: time.now()) else { return }
        do {
            try await sendMail(letter)
            log.info("A mail was sent", ["account": account.name, "purpose": purpose])
        } catch {
            log.error(
                "A mail was not sent", ["account": account.name, "purpose": purpose, "detail": error.detail])
        }
    }

    /// A code is sent once in a few minutes to one account, whoever asks: the one before is in the mailbox, and good.
    @discardableResult
    private func sendCode(
        for purpose: CodePurpose, of account: Account, to email: EmailAddress, isHome: Bool,
        _ letter: (String) -> Letter
    ) async throws(StoreFailure) -> Bool {
        guard let sendMail, email.isPlain, resets.admitMail(to: account.id, isHome: isHome, now: time.now()) else {
            return false
        }
        let code = OneTimeCode.long()
        try await store.keepCode(
            hash: CodeDigest.of(Secret(code)), for: purpose, of: account.id, sentTo: email,
            at: time.wall(), until: time.wall() + Self.codeLife)
        do {
            try await sendMail(letter(code))
            log.info("A mail was sent", ["account": account.name, "purpose": purpose.rawValue])
            return true
        } catch {
            log.error(
                "A mail was not sent",
                ["account": account.name, "purpose": purpose.rawValue, "detail": error.detail])
            return false
        }
    }
}

/// RESET with a code, as it was typed.
struct ResetRequest: Sendable {
    let speaker: Speaker
    let login: String
    let code: Secret
    let new: Secret
}
