import Domain
import Passwords
import Runtime
import Storage

/// EMAIL, PROFILE and DROP: what people change about their own account.
extension Bot {
    // MARK: Deciding

    func email(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        if arguments.isEmpty { return notice(Phrases.email(login.account, bot), to: speaker) }
        let given = Registration(arguments)
        guard given.problem == nil, let email = given.email, let password = given.password, given.firstName == nil
        else {
            return notice(Phrases.emailUsage(Command.usage(of: "EMAIL"), bot), to: speaker)
        }
        guard email.isPlain else { return notice(Phrases.emailIsNotPlain, to: speaker) }
        return change(.email(email, password), speaker, visit, login.account)
    }

    func profile(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        if arguments.isEmpty {
            return notice(Phrases.profile(login.account, ownNick(on: speaker.connection)), to: speaker)
        }
        let words = arguments.dropFirst().map { String($0.prefix(Registration.longestName)) }
        let last = words.dropFirst().joined(separator: " ")
        let names = AccountChange.Kind.names(
            first: words.first, last: last.isEmpty ? nil : String(last.prefix(Registration.longestName)))
        return change(names, speaker, visit, login.account)
    }

    func drop(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        guard let word = arguments.first, arguments.count == 1 else {
            return notice(
                Phrases.dropUsage(Command.usage(of: "DROP"), ownNick(on: speaker.connection)), to: speaker)
        }
        if let drop = memory.drops.removeValue(forKey: visit), drop.code == TypedLine.plain(word).uppercased(),
            time.now() - drop.askedAt < Self.dropPatience
        {
            return change(.drop, speaker, visit, login.account)
        }
        return change(.askToDrop(Secret(word)), speaker, visit, login.account)
    }

    /// Whether these words are the code that its reader was given, which is never talk: `drop be42`.
    func isConfirmation(_ words: [String], of speaker: Speaker) -> Bool {
        guard words.count == 1, let visit = speaker.visit, let drop = memory.drops[visit] else { return false }
        return drop.code == TypedLine.plain(words[0]).uppercased()
    }

    /// How long a confirmation is waited for.
    private static let dropPatience: Duration = .seconds(300)

    func change(_ kind: AccountChange.Kind, _ speaker: Speaker, _ visit: VisitID, _ account: Account) -> [Work] {
        deferred.hold(visit)
        return [.change(AccountChange(speaker: speaker, visit: visit, account: account, kind: kind))]
    }

    // MARK: Doing

    func perform(_ change: AccountChange) async {
        let lines = await outcome(of: change)
        await perform(notice(lines, to: change.speaker))
        await release(change.visit)
        await warnByMail(after: change)
    }

    private func outcome(of change: AccountChange) async -> [String] {
        let bot = ownNick(on: change.speaker.connection)
        do {
            guard let found = try await store.credentials(of: change.account.id), await isStillGood(change.account)
            else {
                return Phrases.notLoggedIn(bot)
            }
            if let password = change.password {
                switch try await check(password, of: found, login: change.account.name.folded, change.speaker) {
                case .wait(let wait): return Phrases.tooManyGuesses(wait)
                case .differs: return Phrases.wrongPassword
                case .matches: break
                }
            }
            switch change.kind {
            case .names(let first, let last):
                guard let account = try await store.setNames(first: first, last: last, of: change.account.id) else {
                    return Phrases.notLoggedIn(bot)
                }
                roster.update(account)
                return Phrases.profile(account, bot)
            case .preferences(let preferences, let done):
                guard let account = try await store.setPreferences(preferences, of: change.account.id) else {
                    return Phrases.notLoggedIn(bot)
                }
                roster.update(account)
                return done
            case .email(let email, _):
                guard let account = try await store.setEmail(email, of: change.account.id) else {
                    return Phrases.emailTaken(bot)
                }
                roster.update(account)
                log.info("An e-mail address was changed", ["account": account.name])
                let changed = Phrases.emailChanged(account)
                return mustVerify(account) ? changed + (try await sendVerification(of: account, bot)) : changed
            case .askToVerify:
                return try await sendVerification(of: change.account, bot)
            case .verify(let code):
                let isRight = try await store.useCode(
                    hash: CodeDigest.of(code), for: .verify, of: change.account.id, at: time.wall())
                guard isRight, let account = try await store.credentials(of: change.account.id)?.account else {
                    return Phrases.verificationIsWrong(bot)
                }
                roster.update(account)
                return Phrases.verified
            case .link(let link, let shown, _):
                return try await linked(link, shown: shown, change)
            case .unlink(let network):
                return try await unlinked(network, change.account)
            case .endOthers:
                let others = roster.logins(of: change.account.id).filter { $0.id != change.visit }
                await perform(logOut(others, .endedElsewhere))
                return Phrases.sessionsEnded(others.count, links: try await endLinks(of: change.account))
            case .askToDrop:
                let code = OneTimeCode.short()
                memory.drops[change.visit] = (code, time.now())
                let count = try await store.accountRecord(of: change.account.name)?.exchangeCount ?? 0
                return Phrases.confirmDrop(change.account.name, exchanges: count, code, bot)
            case .drop:
                let count = try await store.delete(change.account.id) ?? 0
                forgetLinks(of: change.account.id)
                log.info("An account was deleted by its owner", ["account": change.account.name])
                await endLogins(of: change.account.id, .deleted, except: change.visit)
                if let ended = roster.logOut(change.visit, .loggedOut) { await perform(afterwards(ended)) }
                return Phrases.dropped(change.account.name, exchanges: count)
            }
        } catch {
            return explain(error, during: "a change of an account", change.speaker)
        }
    }
}

/// What somebody logged in wants changed about their account.
struct AccountChange: Sendable {
    enum Kind: Sendable {
        case names(first: String?, last: String?)
        case email(EmailAddress, Secret)
        /// And what is said when it is done.
        case preferences(Preferences, done: [String])
        case askToVerify
        case verify(Secret)
        case link(ServicesLink, shown: String, Secret)
        case unlink(NetworkName)
        /// All other logins, and what logs in without a password.
        case endOthers
        case askToDrop(Secret)
        case drop
    }

    let speaker: Speaker
    let visit: VisitID
    let account: Account
    let kind: Kind

    /// What has to be right before anything is done.
    var password: Secret? {
        switch kind {
        case .email(_, let password), .askToDrop(let password), .link(_, _, let password): password
        case .names, .preferences, .drop, .askToVerify, .verify, .unlink, .endOthers: nil
        }
    }
}
