import Domain
import Passwords
import Runtime
import Storage

/// What came of checking a password.
enum PasswordCheck: Sendable {
    case matches(needsRehash: Bool)
    case differs
    /// Too many were wrong; it was not checked.
    case wait(Duration)
}

/// Checking passwords, and what wrong ones lead to.
extension Bot {
    /// Checks a password typed by somebody, as the throttle allows. `login` is what was typed for the account, whose
    /// credentials are `found`. What is no guess (one's own password, said in public) is not counted.
    func check(
        _ password: Secret, of found: Credentials?, login: String, _ speaker: Speaker, isGuess: Bool = true
    ) async throws -> PasswordCheck {
        let source = speaker.throttleSource
        let known = found?.account.name.folded ?? "(unknown)"
        let attempt = attempt(at: found, login, speaker)
        let now = time.now()
        if isGuess, let wait = throttle.admit(attempt, now: now) {
            log.warning(
                "A password was not tried: too many wrong ones",
                ["network": source.network, "host": source.host, "account": known])
            return .wait(wait)
        }
        let verification: Verification
        do {
            verification = try await passwords.verify(
                password, against: found?.passwordHash,
                for: PasswordHasher.Caller(speaker.source, isKnown: attempt.home != nil))
        } catch {
            if isGuess { throttle.takeBack(attempt, admittedAt: now) }
            throw error
        }
        guard found != nil, case .matches(let needsRehash) = verification else {
            if isGuess {
                log.warning(
                    "A wrong password", ["network": source.network, "host": source.host, "account": known])
            }
            return .differs
        }
        if isGuess { throttle.succeeded(attempt, admittedAt: now) }
        return .matches(needsRehash: needsRehash)
    }

    /// An account has one counter, whether it is called by its name or by its e-mail address.
    private func attempt(at found: Credentials?, _ login: String, _ speaker: Speaker) -> GuessThrottle.Attempt {
        let isHome = found.map { self.isHome(of: $0, speaker) } ?? false
        return GuessThrottle.Attempt(
            source: speaker.throttleSource, account: found?.account.name.folded ?? CaseMapping.ascii.fold(login),
            home: isHome ? speaker.source : nil)
    }

    /// Whether the account has logged in from where this is said.
    func isHome(of found: Credentials, _ speaker: Speaker) -> Bool {
        found.loginSources.contains { $0 == speaker.source || $0 == speaker.throttleSource.description }
    }

    /// Keeps a wrong password for the owner to hear of; after it was answered, so that known and unknown names take as long.
    func noteGuess(at account: Account, by speaker: Speaker) async {
        do {
            try await store.noteFailedLogin(
                of: account.id, network: speaker.connection.network, host: speaker.person.host, at: time.wall())
        } catch {
            logStoreFailure(error, during: "noting a wrong password", of: account.name)
        }
    }

    /// What a login is told besides: guesses since the last one, and exchanges that were cut short.
    func newsForLogin(to account: Account, _ speaker: Speaker) async -> [String] {
        do {
            try await store.noteLogin(of: account.id, from: speaker.source, at: time.wall())
            let guesses = try await store.takeFailedLogins(of: account.id)
            let interrupted = try await store.takeInterruptedNotices(of: account.id)
            let bot = ownNick(on: speaker.connection)
            return Phrases.guesses(guesses, bot) + interrupted.map { Phrases.interrupted($0, bot) }
        } catch {
            logStoreFailure(error, during: "reading what a login is told", of: account.name)
            return []
        }
    }
}

extension GuessThrottle.Source: CustomStringConvertible {
    /// As earlier versions stored it with an account.
    var description: String { "\(network) \(host)" }
}

extension Speaker {
    var throttleSource: GuessThrottle.Source { .init(network: connection.network, host: person.host) }

    /// `network user@host`: whoever speaks from there again is taken for the same person.
    var source: String { "\(connection.network) \(person.address)" }
}
