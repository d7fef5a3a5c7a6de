import Domain
import Passwords
import Runtime
import Storage

/// REGISTER, LOGIN, LOGOUT and WHOAMI.
///
/// A password is a `Secret` from here on. It goes to the hasher and nowhere else; what is logged names the account.
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
            .register(
                RegistrationRequest(
                    speaker: speaker, name: name, password: password, email: given.email,
                    firstName: given.firstName, lastName: given.lastName))
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
            .logIn(
                LoginRequest(
                    speaker: speaker, visit: visit, login: login, isNamed: typed != nil, password: Secret(password)))
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

    func register(_ request: RegistrationRequest) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.speaker.visit)
    }

    private func outcome(of request: RegistrationRequest) async -> [String] {
        let bot = ownNick(on: request.speaker.connection)
        let source = request.speaker.throttleSource
        let now = time.now()
        if let refusal = registrations.admit(source, now: now) {
            log.warning("A registration was refused: too many", ["network": source.network, "from": source.host])
            return Phrases.tooManyRegistrations(refusal)
        }
        var isMade = false
        defer { if !isMade { registrations.madeNone(source, admittedAt: now) } }
        do {
            // Looked at before hashing: a taken name costs no Argon2 run. Storing looks again.
            if try await store.credentials(for: request.name.folded) != nil {
                return Phrases.nameTaken(request.name, bot)
            }
            if let email = request.email, try await store.credentials(for: email.folded) != nil {
                return Phrases.emailTaken(bot)
            }
            let hash = try await passwords.hash(
                request.password, for: PasswordHasher.Caller(request.speaker.source))
            let creation = try await store.createAccount(
                NewAccount(
                    name: request.name, email: request.email, firstName: request.firstName, lastName: request.lastName,
                    passwordHash: hash, registeredAt: time.wall()))
            switch creation {
            case .nameTaken: return Phrases.nameTaken(request.name, bot)
            case .emailTaken: return Phrases.emailTaken(bot)
            case .created(let account):
                isMade = true
                log.info(
                    "An account was registered",
                    ["network": request.speaker.connection.network, "account": account.name])
                guard let visit = request.speaker.visit, await admit(visit, to: account, by: request.password) else {
                    return Phrases.registeredOnly(account.name, bot)
                }
                // Where an account was made is where its owner gets in while others guess.
                _ = await newsForLogin(to: account, request.speaker)
                if mustVerify(account) {
                    return Phrases.registeredUnverified(account.name) + (try await sendVerification(of: account, bot))
                }
                return Phrases.registered(account.name)
            }
        } catch {
            return explain(error, during: "REGISTER", request.speaker)
        }
    }

    func logIn(_ request: LoginRequest) async {
        let (lines, guessed) = await outcome(of: request)
        await perform(notice(lines, to: request.speaker.addressee))
        await release(request.visit)
        if let guessed { await noteGuess(at: guessed, by: request.speaker) }
    }

    /// What is said, and the account at which this was a wrong guess.
    private func outcome(of request: LoginRequest) async -> (lines: [String], guessed: Account?) {
        let bot = ownNick(on: request.speaker.connection)
        do {
            let found = try await store.credentials(for: request.login)
            let needsRehash: Bool
            switch try await check(request.password, of: found, login: request.login, request.speaker) {
            case .wait(let wait): return (Phrases.tooManyGuesses(wait), nil)
            case .differs: return (Phrases.wrong(isNamed: request.isNamed, bot), found?.account)
            case .matches(let isOld): needsRehash = isOld
            }
            guard let found else { return (Phrases.wrong(isNamed: request.isNamed, bot), nil) }
            let epoch = found.account.loginEpoch
            let reporter = speaker(of: request.password, for: found.account)
            if let reporter { try await expose(found.account, reporter) }
            // As it is after all that waiting: it may have been closed, or given another password.
            guard let found = try await store.credentials(of: found.account.id) else {
                return (Phrases.wrong(isNamed: request.isNamed, bot), nil)
            }
            guard !found.isDisabled else { return (Phrases.isDisabled(found.account.name), nil) }
            guard found.account.loginEpoch == epoch else { return (Phrases.wrong(isNamed: request.isNamed, bot), nil) }
            if found.exposedBy != nil {
                let isHome = self.isHome(of: found, request.speaker)
                return (Phrases.passwordIsExposed(found.account.name, isHome: isHome, bot), nil)
            }
            guard await admit(request.visit, to: found.account, by: request.password) else { return ([], nil) }
            if needsRehash { await rehash(request.password, of: found.account) }
            let unread = await unreadNotice(of: found.account, on: request.visit.connection)
            let news = await newsForLogin(to: found.account, request.speaker)
            return (Phrases.loggedIn(found.account.name) + news + unread, nil)
        } catch {
            return (explain(error, during: "LOGIN", request.speaker), nil)
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

    /// Keeps up with the strength of hashing; the old hash is good until then.
    private func rehash(_ password: Secret, of account: Account) async {
        do {
            try await store.replacePasswordHash(try await passwords.hash(password), of: account.id)
        } catch {
            log.warning("A password was not hashed anew", ["account": account.name, "error": "\(error)"])
        }
    }

    func explain(_ error: any Error, during command: StaticString, _ speaker: Speaker) -> [String] {
        switch error {
        case PasswordFailure.busy:
            return Phrases.passwordsBusy
        case PasswordFailure.tooLong:
            return Phrases.tooLong(PasswordHasher.longestPassword)
        case PasswordFailure.unsuitable:
            return Phrases.unsuitable
        case let failure as StoreFailure:
            logStoreFailure(failure, during: command, of: speaker.login?.account.name)
            return Phrases.storeFailed
        default:
            log.error("A password could not be hashed", ["command": "\(command)", "error": "\(error)"])
            return Phrases.passwordsBusy
        }
    }

    func logStoreFailure(_ failure: StoreFailure, during step: StaticString, of account: AccountName? = nil) {
        log.error(
            "The store failed",
            [
                "step": "\(step)", "account": account?.spelling ?? "-", "kind": failure.kind.rawValue,
                "detail": failure.detail, "hint": failure.hint,
            ])
    }

    /// Hears what the person said while their password was being checked.
    func release(_ visit: VisitID?) async {
        guard let visit, let messages = deferred.release(visit) else { return }
        var works: [Work] = []
        for message in messages {
            // As they are now, maybe under another nick; whoever has gone is not heard afterwards.
            guard let person = roster.visit(visit)?.person else { break }
            works += hear(message.said(by: person, in: message.place), on: visit.connection)
        }
        if let nick = roster.visit(visit)?.nick {
            works += unwatchLater(Lane(connection: visit.connection, nick: nick))
        }
        if !works.isEmpty { await perform(works) }
    }
}
