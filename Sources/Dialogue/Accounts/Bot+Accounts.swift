import Accounts
import Domain
import Passwords
import Runtime
import Storage

/// REGISTER, LOGIN, LOGOUT and WHOAMI.
///
/// A password is a `Secret` from here on. It goes to the desk and nowhere else.
extension Bot {
    // MARK: Deciding

    func register(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        if let login = speaker.login { return notice(Phrases.alreadyLoggedIn(login.account.name, bot), to: speaker) }
        guard settings.registration == .open else { return notice(Phrases.registrationClosed, to: speaker) }
        guard let name = AccountName(speaker.nick.spelling) else {
            let suggestion = Registration.suggestion(for: speaker.nick)
            return notice(Phrases.notAnAccountName(speaker.nick, suggestion: suggestion, bot), to: speaker)
        }
        let given = Registration(arguments, nick: speaker.nick.spelling)
        let missing = given.missing(isEmailRequired: settings.isEmailRequired)
        if let problem = given.problem {
            return notice(Phrases.cannotRegister(problem, Command.usage(of: "REGISTER"), bot), to: speaker)
        }
        guard missing.isEmpty, let password = given.password else {
            return notice(Phrases.missing(missing, Command.usage(of: "REGISTER"), bot), to: speaker)
        }
        guard password.characterCount >= settings.minPasswordLength else {
            return notice(Phrases.tooShort(settings.minPasswordLength), to: speaker)
        }
        let folded = CaseMapping.ascii.fold(password.reveal())
        guard folded != name.folded, folded != given.email?.folded else {
            return notice(Phrases.passwordIsPublic, to: speaker)
        }
        if let email = given.email, !email.isPlain { return notice(Phrases.emailIsNotPlain, to: speaker) }
        if let visit = speaker.visit { deferred.hold(visit) }
        return [
            .account(
                .register(
                    Applicant(
                        name: name, password: password, email: given.email, firstName: given.firstName,
                        lastName: given.lastName), speaker))
        ]
    }

    func logIn(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        guard let password = arguments.last else {
            return notice(Phrases.missing(["a password"], Command.usage(of: "LOGIN"), bot), to: speaker)
        }
        guard arguments.count <= 2 else {
            return notice(Phrases.tooManyWords(Command.usage(of: "LOGIN"), bot), to: speaker)
        }
        guard let visit = speaker.visit else { return notice(Phrases.sharesNoChannel, to: speaker) }
        let typed = arguments.count == 2 ? arguments[0] : nil
        guard typed != nil || AccountName(speaker.nick.spelling) != nil else {
            return notice(Phrases.nameTheAccount(bot), to: speaker)
        }
        deferred.hold(visit)
        let login = typed ?? speaker.nick.spelling
        return [
            .account(
                .logIn(
                    AccountRequest.Login(
                        speaker: speaker, visit: visit, login: login, isNamed: typed != nil,
                        password: Secret(password))))
        ]
    }

    func logOut(_ speaker: Speaker) -> [Work] {
        guard let visit = speaker.visit, let ended = roster.logOut(visit, .loggedOut) else { return [] }
        let noted = afterwards(ended).filter { if case .noteClosed = $0 { true } else { false } }
        let lines = Phrases.loggedOut(ended.account.name, ownNick(on: speaker.connection))
        let lane = Lane(connection: speaker.connection, nick: speaker.nick)
        return noted + [.discard(lane, thenSay: lines, to: speaker.addressee)] + unwatchLater(lane)
    }

    func whoAmI(_ speaker: Speaker) -> [Work] {
        guard let login = speaker.login else {
            let bot = ownNick(on: speaker.connection)
            return notice(Phrases.whoAmINobody(bot, isRegistrationOpen: settings.registration == .open), to: speaker)
        }
        return notice(whoAmI(login, speaker), to: speaker)
    }

    // MARK: Doing

    /// Asks the desk. What a person says meanwhile waits until they have heard what came of it.
    func perform(_ request: AccountRequest) async {
        switch request {
        case .register(let applicant, let speaker): await register(applicant, speaker)
        case .logIn(let request): await logIn(request)
        case .changePassword(let request): await changePassword(request)
        case .change(let request): await change(request)
        case .askForReset(let login, let speaker): await askForReset(of: login, speaker)
        case .mailReset(let login, let speaker): await mailReset(of: login, speaker)
        case .reset(let request): await reset(request)
        case .administer(let request): await administer(request)
        }
    }

    private func register(_ applicant: Applicant, _ speaker: Speaker) async {
        let lines = await outcome(of: applicant, speaker)
        await perform(notice(lines, to: speaker.addressee))
        await release(speaker.visit)
    }

    private func outcome(of applicant: Applicant, _ speaker: Speaker) async -> [String] {
        let bot = ownNick(on: speaker.connection)
        do {
            switch try await desk.register(applicant, from: speaker.origin) {
            case .tooMany(let refusal): return Phrases.tooManyRegistrations(refusal)
            case .nameTaken: return Phrases.nameTaken(applicant.name, bot)
            case .emailTaken: return Phrases.emailTaken(bot)
            case .created(let account):
                guard let visit = speaker.visit, await admit(visit, to: account, by: applicant.password) else {
                    return Phrases.registeredOnly(account.name, bot)
                }
                // Where an account was made is where its owner gets in while others guess.
                _ = await desk.logins.welcome(account, from: speaker.origin)
                guard desk.mailroom.mustVerify(account) else { return Phrases.registered(account.name) }
                let mail = try await desk.mailroom.sendVerification(of: account, bot: bot)
                return Phrases.registeredUnverified(account.name) + Phrases.verification(mail, bot)
            }
        } catch {
            return explain(error, during: "REGISTER", speaker)
        }
    }

    private func logIn(_ request: AccountRequest.Login) async {
        let (lines, guessed) = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.visit)
        if let guessed { await desk.logins.noteGuess(at: guessed, from: request.speaker.origin) }
    }

    /// What is said, and the account at which this was a wrong guess.
    private func outcome(of request: AccountRequest.Login) async -> (lines: [String], guessed: Account?) {
        let bot = ownNick(on: request.speaker.connection)
        let origin = request.speaker.origin
        do {
            switch try await desk.logins.check(request.password, for: request.login, from: origin) {
            case .wait(let wait): return (Phrases.tooManyGuesses(wait), nil)
            case .wrong(let account): return (Phrases.wrong(isNamed: request.isNamed, bot), account)
            case .right(let proven):
                let reporter = speaker(of: request.password, for: proven.account)
                if let reporter { try await expose(proven.account, reporter) }
                return (try await opened(by: proven, request), nil)
            }
        } catch {
            return (explain(error, during: "LOGIN", request.speaker), nil)
        }
    }

    /// Logs in whoever has proven a password, if it opens the account still.
    private func opened(
        by proven: ProvenPassword, _ request: AccountRequest.Login
    ) async throws(StoreFailure) -> [String] {
        let bot = ownNick(on: request.speaker.connection)
        let origin = request.speaker.origin
        switch try await desk.logins.open(proven, from: origin) {
        case .isAnother: return Phrases.wrong(isNamed: request.isNamed, bot)
        case .disabled(let name): return Phrases.isDisabled(name)
        case .exposed(let name, let isHome): return Phrases.passwordIsExposed(name, isHome: isHome, bot)
        case .open(let account):
            guard await admit(request.visit, to: account, by: request.password) else { return [] }
            let news = await desk.logins.welcome(account, from: origin, by: proven)
            let unread = await unreadNotice(of: account, on: request.visit.connection)
            return Phrases.loggedIn(account.name) + Phrases.news(news, bot) + unread
        }
    }

    /// Logs a visit in after a wait; false where the visit ended meanwhile, whoever has the nick now.
    func admit(_ visit: VisitID, to account: Account, by password: Secret? = nil) async -> Bool {
        let crowdedOut = roster.logIn(
            visit, to: account, by: password.map { PasswordFingerprint($0) }, at: time.wall(), now: time.now())
        guard let crowdedOut else { return false }
        log.info("Someone logged in", ["network": visit.connection.network, "account": account.name])
        let works = crowdedOut.flatMap(afterwards)
        if !works.isEmpty { await perform(works) }
        await tellOthers(of: account, about: visit)
        await noteOpen(visit)
        return true
    }

    func explain(_ error: any Error, during command: StaticString, _ speaker: Speaker) -> [String] {
        switch error {
        case PasswordFailure.busy:
            return Phrases.passwordsBusy
        case PasswordFailure.tooLong:
            return Phrases.tooLong(PasswordHasher.maxPasswordLength)
        case PasswordFailure.unsuitable:
            return Phrases.unsuitable
        case let failure as StoreFailure:
            log.storeFailed(failure, during: command, of: speaker.login?.account.name)
            return Phrases.storeFailed
        default:
            log.error("A password could not be hashed", ["command": "\(command)", "error": "\(error)"])
            return Phrases.passwordsBusy
        }
    }

    /// Hears what the person said while their password was being checked, and does what is left to do beside it.
    func release(_ visit: VisitID?, beside rest: [Work] = []) async {
        var works = rest
        if let visit, let messages = deferred.release(visit) {
            for message in messages {
                // As they are now, maybe under another nick; whoever has gone is not heard afterwards.
                guard let person = roster.visit(visit)?.person else { break }
                works += hear(message.said(by: person, in: message.place), on: visit.connection)
            }
            if let nick = roster.visit(visit)?.nick {
                works += unwatchLater(Lane(connection: visit.connection, nick: nick))
            }
        }
        if !works.isEmpty { await perform(works) }
    }
}
