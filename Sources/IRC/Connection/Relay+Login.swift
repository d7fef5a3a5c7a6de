import Domain
import IRCProtocol
import Network
import Runtime

/// What the registration decides is done here, the login among it.
extension Relay {
    /// For the whole login by SASL. Servers close after 20 seconds or more without a registration: where the login is not
    /// required, the bot goes on without before that.
    private static let loginLimit = Duration.seconds(15)

    func perform(_ actions: [Registration.Action]) {
        for action in actions { perform(action) }
        watchLogin()
    }

    private func perform(_ action: Registration.Action) {
        switch action {
        case .send(let line): write(line)
        case .derive(let work): derive(work)
        case .welcome(let nick):
            own = OwnMask(nick: Nick(nick, mapping))
            deadline.set(after: Self.welcomeLimit) { [weak self] in self?.greeted() }
        case .loggedIn(let account, let method):
            // Numeric 900 is services' answer too, and the plainest.
            if stage == .identifying { return settle(.accepted) }
            tellLogin(account, by: method ?? "services")
        case .loginMissing(let reason):
            log.warning("goes on without SASL login", ["network": settings.name, "reason": reason])
        case .end(let ending): leave(ending)
        }
    }

    /// The connection goes on meanwhile; what comes too late is not awaited any more.
    private func derive(_ work: KeyDerivation) {
        Task { [weak self] in
            let key = await work.run()
            guard let self else { return }
            perform(registration.derived(key, by: work))
        }
    }

    /// From the first mechanism to the last, however often the server makes the bot try.
    private func watchLogin() {
        guard registration.isLoggingIn != isLoginWatched else { return }
        isLoginWatched = registration.isLoggingIn
        guard isLoginWatched else { return loginDeadline.cancel() }
        loginDeadline.set(after: Self.loginLimit) { [weak self] in
            guard let self else { return }
            perform(registration.loginUnanswered())
        }
    }

    private func tellLogin(_ account: String?, by method: String) {
        log.info("logged in to services", ["network": settings.name, "account": account ?? "?", "by": method])
    }

    // MARK: NickServ

    /// The server has said all it says at the beginning; what is left of the login comes before anything is joined.
    func greeted() {
        guard stage == .registering, own != nil else { return }
        guard let nickServ, !registration.isLoggedIn else { return goOnline() }
        if registration.isLoginRefused && !nickServ.settings.isRequired { return goOnline() }
        stage = .identifying
        deadline.cancel()
        // The same account once more would be a guess in the eyes of services.
        if registration.isLoginRefused { return settle(.refused(registration.loginFailure ?? "")) }
        guard settings.isEncrypted || settings.isInsecureAllowed else {
            return settle(.refused("its password needs TLS or insecure = true"))
        }
        loginDeadline.set(after: nickServ.settings.timeout) { [weak self] in
            self?.settle(.unavailable("no answer in time"))
        }
        write(nickServ.line)
    }

    /// True for a line that was their answer, and is nothing else then.
    func isAnswerOfServices(_ message: IRCMessage) -> Bool {
        guard let own, let answer = nickServ?.answer(in: message, to: own, mapping) else { return false }
        settle(answer)
        return true
    }

    /// Once; whatever else services say belongs to nobody.
    private func settle(_ answer: NickServ.Answer) {
        guard stage == .identifying, let nickServ = nickServ?.settings else { return }
        loginDeadline.cancel()
        switch answer {
        case .accepted:
            registration.account = registration.account ?? nickServ.account
            registration.loginMethod = nickServ.nick
            tellLogin(registration.account, by: nickServ.nick)
            goOnline()
        case .refused(let reason): loginFailed(nickServ, reason, passes: nil)
        case .unavailable(let reason): loginFailed(nickServ, reason, passes: .seconds(300))
        }
    }

    private func loginFailed(_ nickServ: NickServSettings, _ reason: String, passes: Duration?) {
        let reason = "\(nickServ.nick): \(reason)"
        registration.loginFailure = reason
        // SASL, which was not to be had, left it to this one.
        guard !nickServ.isRequired, settings.sasl?.isRequired != true else {
            write("QUIT")
            return leave(Ending(reason: "login failed: \(reason)", next: .stop(unlessOnlineBefore: passes)))
        }
        log.warning("goes on without a login", ["network": settings.name, "reason": reason])
        goOnline()
    }

    private var nickServ: NickServ? { settings.nickServ.map(NickServ.init) }
}
