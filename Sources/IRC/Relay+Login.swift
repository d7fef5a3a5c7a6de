import Domain
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
            deadline.set(after: Self.welcomeLimit) { [weak self] in self?.goOnline() }
        case .loggedIn(let account, let method):
            log.info(
                "logged in to services",
                ["network": settings.name, "account": account ?? "?", "by": method ?? "services"])
        case .loginMissing(let reason):
            log.warning("goes on without SASL login", ["network": settings.name, "reason": reason])
        case .end(let ending): leave(ending)
        }
    }

    /// The connection goes on meanwhile; what comes too late is not awaited any more.
    private func derive(_ work: KeyDerivation) {
        Task { [weak self] in
            let key = await work.run()
            guard let self, stage == .registering else { return }
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
}
