public import Domain
import Passwords
import Runtime
import Storage

/// Where people prove who they are, and choose other passwords.
///
/// `GuessThrottle` is asked before anything is hashed, and told afterwards what it was good for.
///
/// Invariants:
/// - A guess is taken back on success: only wrong passwords, and such as are being checked, slow anybody down.
/// - An unknown account and a wrong password look the same and cost the same hash.
/// - A password said in public opens nothing until it is another.
public actor LoginDesk {
    let store: Store
    let passwords: PasswordHasher
    let log: Log
    let time: Time
    var guesses: GuessThrottle

    init(store: Store, passwords: PasswordHasher, limits: AccountLimits, log: Log, time: Time) {
        self.store = store
        self.passwords = passwords
        self.log = log
        self.time = time
        guesses = GuessThrottle(
            limits: GuessThrottle.Limits(perHost: limits.guessesPerHost, overall: limits.guessesOverall))
    }

    /// Checks a password against the account of this name or e-mail address, as the throttle allows.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func check(_ password: Secret, for login: String, from origin: Origin) async throws -> PasswordCheck {
        try await check(password, of: try await store.credentials(for: login), login: login, from: origin)
    }

    /// The same where `found` are the credentials of what was typed as `login`. What is no guess (one's own password, said
    /// in public) is not counted.
    func check(
        _ password: Secret, of found: Credentials?, login: String, from origin: Origin, isGuess: Bool = true
    ) async throws -> PasswordCheck {
        let known = found?.account.name.folded ?? "(unknown)"
        let attempt = attempt(at: found, login, from: origin)
        let now = time.now()
        if isGuess, let wait = guesses.admit(attempt, now: now) {
            log.warning(
                "A password was not tried: too many wrong ones",
                ["network": origin.network, "host": origin.host.name, "account": known])
            return .wait(wait)
        }
        let verification: Verification
        do {
            verification = try await passwords.verify(
                password, against: found?.passwordHash,
                for: PasswordHasher.Caller(origin.description, isKnown: attempt.home != nil))
        } catch {
            if isGuess { guesses.takeBack(attempt, admittedAt: now) }
            throw error
        }
        guard let found, case .matches(let needsRehash) = verification else {
            if isGuess {
                log.warning(
                    "A wrong password", ["network": origin.network, "host": origin.host.name, "account": known])
            }
            return .wrong(found?.account)
        }
        if isGuess { guesses.succeeded(attempt, admittedAt: now) }
        return .right(ProvenPassword(account: found.account, password: password, needsRehash: needsRehash))
    }

    /// An account has one counter, whether it is called by its name or by its e-mail address.
    private func attempt(at found: Credentials?, _ login: String, from origin: Origin) -> GuessThrottle.Attempt {
        let isHome = found.map { $0.isHome(origin) } ?? false
        return GuessThrottle.Attempt(
            host: origin.host, account: found?.account.name.folded ?? CaseMapping.ascii.fold(login),
            home: isHome ? origin : nil)
    }

    /// Keeps a wrong password for the owner to hear of; after it was answered, so that known and unknown names take as long.
    public func noteGuess(at account: Account, from origin: Origin) async {
        do {
            try await store.noteFailedLogin(
                of: account.id, network: origin.network, host: origin.host.name, at: time.wall())
        } catch {
            log.storeFailed(error, during: "noting a wrong password", of: account.name)
        }
    }
}

extension Credentials {
    /// Whether the account has logged in from there.
    func isHome(_ origin: Origin) -> Bool {
        loginSources.contains { $0 == origin.description || $0 == origin.host.description }
    }
}
