import Accounts
import Domain
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
        let words = arguments.dropFirst().map { String($0.prefix(Registration.maxNameLength)) }
        let last = words.dropFirst().joined(separator: " ")
        let names = AccountChange.names(
            first: words.first, last: last.isEmpty ? nil : String(last.prefix(Registration.maxNameLength)))
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

    /// `done` is said when it is done, where that depends on what was typed.
    func change(
        _ change: AccountChange, _ speaker: Speaker, _ visit: VisitID, _ account: Account, done: [String] = []
    ) -> [Work] {
        deferred.hold(visit)
        return [
            .account(
                .change(
                    AccountRequest.Change(
                        speaker: speaker, visit: visit, account: account, change: change, done: done)))
        ]
    }

    // MARK: Doing

    func change(_ request: AccountRequest.Change) async {
        let (lines, made) = await outcome(of: request)
        await perform(notice(lines, to: request.speaker))
        await release(request.visit)
        if let made { await desk.mailroom.warn(of: made, bot: ownNick(on: request.speaker.connection)) }
    }

    /// What is said, and the change where its account's address is to be told of it.
    private func outcome(of request: AccountRequest.Change) async -> (lines: [String], made: AuthorizedChange?) {
        let bot = ownNick(on: request.speaker.connection)
        do {
            let authorization = try await desk.authorize(
                request.change, of: request.account, from: request.speaker.origin)
            switch authorization {
            case .wait(let wait): return (Phrases.tooManyGuesses(wait), nil)
            case .wrongPassword: return (Phrases.wrongPassword, nil)
            case .gone: return (Phrases.notLoggedIn(bot), nil)
            case .outdated:
                await endLogins(of: request.account)
                return (Phrases.notLoggedIn(bot), nil)
            case .granted(let change):
                // Who stole a login must not be able to tie a services account to it after it ended.
                if case .link = change.change, !isLoggedIn(request) { return ([], nil) }
                let ended = if case .endLinks = change.change { await endOthers(request) } else { 0 }
                let outcome = try await desk.make(change, bot: bot)
                let lines = try await followed(outcome, request, endedLogins: ended)
                return (lines, outcome.isToldByMail ? change : nil)
            }
        } catch {
            return (explain(error, during: "a change of an account", request.speaker), nil)
        }
    }

    /// Whoever asked may have gone by now.
    private func isLoggedIn(_ request: AccountRequest.Change) -> Bool {
        roster.visit(request.visit)?.login?.account.id == request.account.id
    }

    /// What follows from a change here, and what is said about it.
    private func followed(
        _ outcome: ChangeOutcome, _ request: AccountRequest.Change, endedLogins: Int
    ) async throws(StoreFailure) -> [String] {
        let bot = ownNick(on: request.speaker.connection)
        switch outcome {
        case .gone: return Phrases.notLoggedIn(bot)
        case .names(let account):
            roster.update(account)
            return Phrases.profile(account, bot)
        case .preferences(let account):
            roster.update(account)
            return request.done
        case .emailTaken: return Phrases.emailTaken(bot)
        case .email(let account):
            roster.update(account)
            guard desk.mailroom.mustVerify(account) else { return Phrases.emailChanged(account) }
            let mail = try await desk.mailroom.sendVerification(of: account, bot: bot)
            return Phrases.emailChanged(account) + Phrases.verification(mail, bot)
        case .verification(let mail): return Phrases.verification(mail, bot)
        case .verified(let account):
            roster.update(account)
            return Phrases.verified
        case .codeIsWrong: return Phrases.verificationIsWrong(bot)
        case .linked(let link, let shown): return await linked(link, shown: shown, request)
        case .unlinked(let network, let count): return unlinked(network, count, request.account)
        case .linksEnded(let count):
            forgetLinks(of: request.account.id)
            return Phrases.sessionsEnded(endedLogins, links: count)
        case .toConfirm(let exchanges):
            let code = OneTimeCode.short()
            memory.drops[request.visit] = (code, time.now())
            return Phrases.confirmDrop(request.account.name, exchanges: exchanges, code, bot)
        case .deleted(let exchanges):
            forgetLinks(of: request.account.id)
            await endLogins(of: request.account.id, .deleted, except: request.visit)
            if let ended = roster.logOut(request.visit, .loggedOut) { await perform(afterwards(ended)) }
            return Phrases.dropped(request.account.name, exchanges: exchanges)
        }
    }
}
