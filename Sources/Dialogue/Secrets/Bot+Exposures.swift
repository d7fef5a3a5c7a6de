import Accounts
import Domain
import Passwords
import Runtime
import Storage

/// Passwords that were said where others read them.
///
/// A password said in public is not taken for one any more until it is changed. Who may change it: whoever is logged in to
/// the account, and its owner from an address where they logged in before, since people say it before they have logged in.
/// To everybody else who read it, it opens nothing. That it was the password is found by checking it, so that nobody can
/// close the account of another by typing nonsense; what is said of an account that is not one's own counts as a guess.
extension Bot {
    // MARK: Deciding

    /// What to do about a text said in public that may have a password in it. The account is the speaker's own, or the one
    /// that the text or the nick names; a text that names none is of no use to anybody.
    func exposed(_ text: String, _ speaker: Speaker) -> [Work] {
        guard !turns.isWindingDown else { return [] }
        let line = TypedLine(
            text, names: [ownNick(on: speaker.connection).folded], mapping: mapping(of: speaker.connection))
        let isCommand = Command.named(line.word) != nil || SecretWord.forms[line.word] != nil
        var words = line.arguments.filter { !$0.isEmpty }
        let named = words.count > 1 ? words.first { AccountName($0) != nil || EmailAddress($0) != nil } : nil
        if !isCommand || words.isEmpty { words.insert(line.typed, at: 0) }
        var logins: [String] = []
        for login in [speaker.login?.account.name.folded, named, speaker.nick.spelling].compactMap(\.self)
        where !logins.contains(CaseMapping.ascii.fold(login)) {
            logins.append(CaseMapping.ascii.fold(login))
        }
        // The last word first: that is where commands have their passwords. What can be none costs no hash and is no guess.
        var candidates: [String] = []
        for word in words.reversed() {
            let forms = PasswordSearch.words(
                in: word, shortest: settings.minPasswordLength, most: Self.maxForms, where: { _ in true })
            // As it stands, and without any sign around it; what lies between is less likely.
            let likely = forms.prefix(1) + forms.dropFirst().sorted { $0.utf8.count < $1.utf8.count }
            for form in likely where !candidates.contains(form) && !logins.contains(CaseMapping.ascii.fold(form)) {
                if EmailAddress(form) == nil { candidates.append(form) }
            }
        }
        let trials = logins.flatMap { login in
            candidates.prefix(Self.maxCandidates).map { ExposedPassword.Trial(login: login, word: Secret($0)) }
        }
        guard !trials.isEmpty else { return [] }
        exposures.add(ExposedPassword(speaker: speaker, trials: trials), now: time.now())
        return [.exposed(Exposures.Speaking(speaker))]
    }

    /// The same where it is known which words, and of which account.
    func exposed(_ candidates: [Secret], by speaker: Speaker, _ account: Account) -> [Work] {
        let trials = candidates.map { ExposedPassword.Trial(login: account.name.folded, word: $0) }
        exposures.add(ExposedPassword(speaker: speaker, trials: trials), now: time.now())
        return [.exposed(Exposures.Speaking(speaker))]
    }

    /// Who said the password of this account in public, where that is not known of it yet: whoever types it now may have
    /// read it there.
    func speaker(of password: Secret, for account: Account) -> Speaker? {
        let suspect = suspects.values.first { line in
            line.account.id == account.id && line.speaker.place.channel != nil
                && line.candidates.contains { $0.reveal() == password.reveal() }
        }
        return suspect?.speaker ?? exposures.speaker(of: password, for: account)
    }

    /// Forms of one word, with the signs around it on and off, and words of a line that are tried; each costs a hash.
    private static let maxForms = 12
    private static let maxCandidates = 8

    // MARK: Doing

    /// Looks into what somebody said, line by line, as far as that can be done now; the rest is done later.
    func lookIntoExposed(of speaking: Exposures.Speaking) async {
        guard lookingInto.insert(speaking).inserted else { return }
        defer { lookingInto.remove(speaking) }
        while !turns.isWindingDown, let line = exposures.next(of: speaking, now: time.now()),
            let trial = line.trials.first
        {
            do {
                if let wait = try await look(into: trial, line, speaking) {
                    exposures.postpone(line, of: speaking, until: time.now() + wait)
                }
            } catch PasswordFailure.busy {
                exposures.postpone(line, of: speaking, until: time.now() + .seconds(1))
            } catch {
                log.error("A password said in public could not be checked", ["error": "\(error)"])
                exposures.postpone(line, of: speaking, until: time.now() + .seconds(10))
            }
        }
        if exposures.due != nil, exposureTimer == nil { exposureTimer = Task { await lookIntoExposedLater() } }
    }

    /// Tries one word; how long that has to wait, nil where it is done.
    private func look(
        into trial: ExposedPassword.Trial, _ line: Exposures.Line, _ speaking: Exposures.Speaking
    ) async throws -> Duration? {
        let check = try await desk.logins.tryExposed(
            trial.word, for: trial.login, own: line.speaker.login?.account.id, from: line.speaker.origin)
        switch check {
        case .wait(let wait): return wait
        case .wrong: exposures.tried(line, of: speaking)
        case .right(let proven):
            try await expose(proven.account, line.speaker)
            exposures.finish(line, of: speaking)
        }
        return nil
    }

    /// Sleeps until there is something to look into again; one task for all of it.
    private func lookIntoExposedLater() async {
        defer { exposureTimer = nil }
        while !turns.isWindingDown, let due = exposures.due {
            guard (try? await time.sleep(max(.milliseconds(100), due - time.now()))) != nil else { return }
            await withDiscardingTaskGroup { group in
                for speaking in exposures.speaking(dueAt: time.now()) {
                    group.addImmediateTask { await self.lookIntoExposed(of: speaking) }
                }
            }
        }
    }

    /// Closes a password that is open still, and tells whoever said it.
    func expose(_ account: Account, _ speaker: Speaker) async throws(StoreFailure) {
        guard try await desk.logins.expose(account, by: speaker.origin) else { return }
        let isLoggedIn = speaker.login?.account.id == account.id
        let lines = Phrases.passwordExposed(account.name, isLoggedIn: isLoggedIn, ownNick(on: speaker.connection))
        await perform(notice(lines, to: speaker.addressee))
    }
}
