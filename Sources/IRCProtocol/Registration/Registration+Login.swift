/// The login by SASL as a part of the registration.
extension Registration {
    package static let noSASL = "the server offers no SASL"

    /// Services that are away, or a server between the bot and them, do not answer.
    package mutating func loginUnanswered() -> [Action] {
        guard isLoggingIn else { return [] }
        return loginAborted("services did not answer in time", isPassing: true)
    }

    /// The server has no SASL any more.
    package mutating func servicesGone() -> [Action] {
        isLoggingIn ? loginAborted("services went away", isPassing: true) : []
    }

    /// What the derivation came to that an action asked for.
    package mutating func derived(_ key: [UInt8], by work: KeyDerivation) -> [Action] {
        guard isLoggingIn, let step = sasl?.derived(key, by: work) else { return [] }
        return perform(step)
    }

    package mutating func authentication(_ message: IRCMessage) -> [Action] {
        switch message.command {
        case "900": return loggedIn(as: message[2])
        case "901":
            account = nil
            loginMethod = nil
            return []
        case "908":
            sasl?.offered(message[1] ?? "")
            return []
        default: break
        }
        guard isLoggingIn else { return [] }
        switch message.command {
        case "AUTHENTICATE":
            guard let step = sasl?.receive(message[0] ?? "") else { return [] }
            return perform(step)
        case "903", "907": return accepted()
        default: return nextMechanism(message.last ?? "refused")
        }
    }

    package mutating func nextMechanism(_ reason: String) -> [Action] {
        pendingAccount = nil
        guard let line = sasl?.begin() else { return loginFailed(reason) }
        isLoggingIn = true
        return [.send(line)]
    }

    /// Required: the end, for each further attempt looks like an attack. Otherwise on without it, said once.
    ///
    /// `isPassing`: it may be for services that are away, which another connection later may find again.
    package mutating func loginFailed(_ reason: String, isPassing: Bool = false) -> [Action] {
        guard let failed = sasl else { return [] }
        sasl = nil
        pendingAccount = nil
        let reason = failed.withoutPassword(reason)
        loginFailure = reason
        isLoginRefused = failed.current != nil && !isPassing
        isLoggingIn = false
        // Whoever is online was let in without a login once, and stays.
        if failed.isRequired && stage != .welcomed && (isLoginRefused || !canIdentify) {
            stage = .ended
            let passes: Duration? = isLoginRefused ? nil : .seconds(300)
            return [
                .send("QUIT"),
                .end(Ending(reason: "login failed: \(reason)", next: .stop(unlessOnlineBefore: passes))),
            ]
        }
        return [.loginMissing(reason: reason)] + endIfSettled()
    }

    private mutating func perform(_ step: SASL.Step) -> [Action] {
        switch step {
        case .respond(let payload): SASL.lines(for: payload).map(Action.send)
        case .derive(let work): [.derive(work)]
        case .fail(let reason): loginAborted(reason)
        }
    }

    /// Nothing that the server still says to this login is waited for.
    private mutating func loginAborted(_ reason: String, isPassing: Bool = false) -> [Action] {
        [.send("AUTHENTICATE *")] + loginFailed(reason, isPassing: isPassing)
    }

    /// In the middle of a login the server's word is not enough: it may have to prove itself first.
    private mutating func loggedIn(as field: String?) -> [Action] {
        let name = ServicesAccount.name(field)
        if isLoggingIn {
            pendingAccount = name
            return []
        }
        guard let name, name != account else { return [] }
        account = name
        return [.loggedIn(account: name, by: nil)]
    }

    private mutating func accepted() -> [Action] {
        guard let sasl, sasl.isProven else { return loginFailed(SCRAM.unproven) }
        isLoggingIn = false
        account = pendingAccount ?? sasl.account
        loginMethod = sasl.current?.rawValue
        loginFailure = nil
        self.sasl = nil
        return [.loggedIn(account: account, by: loginMethod)] + endIfSettled()
    }
}
