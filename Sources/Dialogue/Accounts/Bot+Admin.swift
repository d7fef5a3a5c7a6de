import Accounts
import Domain
import Runtime
import Storage

/// ADMIN: what administrators do from IRC, and whom not to listen to.
extension Bot {
    // MARK: Deciding

    func admin(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        guard let action = AdminAction(arguments) else { return notice(Phrases.adminUsage(bot), to: speaker) }
        // DISABLE and ENABLE that are pasted together are done in that order.
        deferred.hold(visit)
        return [.account(.administer(.init(speaker: speaker, administrator: login.account, action: action)))]
    }

    /// Whether nothing that this person says is to be heard.
    func isIgnored(_ person: Person, _ login: Login?) -> Bool {
        guard !memory.ignores.isEmpty else { return false }
        return memory.ignores.contains(person, account: login?.account.name, at: time.wall())
    }

    /// The command line may have changed whom not to listen to: looked at again when somebody speaks, and not for each
    /// line.
    func refreshIgnores() -> [Work] {
        let now = time.now()
        guard now - memory.ignoresReadAt >= Self.ignoresLast else { return [] }
        memory.ignoresReadAt = now
        return [.loadIgnores]
    }

    private static let ignoresLast: Duration = .seconds(15)

    // MARK: Doing

    /// Takes in whom not to listen to.
    func loadIgnores() async {
        memory.ignoresReadAt = time.now()
        do {
            memory.ignores = IgnoreList(try await store.ignores(at: time.wall()))
        } catch {
            log.storeFailed(error, during: "reading whom to ignore")
        }
    }

    func administer(_ request: AccountRequest.Administration) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker))
        await release(request.speaker.visit)
    }

    private func outcome(of request: AccountRequest.Administration) async -> [String] {
        let name = request.administrator.name
        do {
            guard await isStillGood(request.administrator), try await desk.administration.isAdministrator(name) else {
                return Phrases.notAnAdministrator
            }
            let outcome = try await desk.administration.perform(request.action, by: name)
            let lines = await followed(outcome, of: request.action)
            try await desk.administration.audit(request.action, by: name)
            return lines
        } catch {
            log.storeFailed(error, during: "ADMIN", of: name)
            return Phrases.storeFailed
        }
    }

    /// What follows from it here, and what is said about it.
    private func followed(_ outcome: AdminOutcome, of action: AdminAction) async -> [String] {
        switch outcome {
        case .accounts(let records):
            return Phrases.adminAccounts(Array(records.prefix(Self.maxListed)), of: records.count) { id in
                roster.logins(of: id).count
            }
        case .noSuchAccount(let name): return Phrases.noSuchAccount(name)
        case .isOneself: return Phrases.notYourself
        case .disabled(let account):
            await endLogins(of: account.id, .closed)
            return Phrases.adminDone("\(account.name) is disabled, and its logins are over.")
        case .enabled: return Phrases.adminDone("\(action.subject) may log in again.")
        case .toLogOut(let account):
            let count = roster.logins(of: account.id).count
            await endLogins(of: account.id, .closed)
            return Phrases.adminDone("\(account.name) is logged out (\(count)).")
        case .ignored(let end):
            await loadIgnores()
            return Phrases.adminDone(
                "I do not listen to \(action.subject) \(end.map { "until \($0)" } ?? "any more").")
        case .unignored(let wasThere, let entries):
            await loadIgnores()
            return Phrases.unignored(action.subject, wasThere: wasThere, entries)
        }
    }

    private static let maxListed = 20
}

/// ADMIN, as it is typed.
extension AdminAction {
    static let verbs: Set<String> = ["ACCOUNTS", "DISABLE", "ENABLE", "LOGOUT", "IGNORE", "UNIGNORE"]

    init?(_ words: [String]) {
        guard let verb = words.first?.uppercased(), words.count <= 3 else { return nil }
        let subject = words.dropFirst().first
        if verb == "ACCOUNTS" {
            self = .accounts(subject ?? "")
            return
        }
        guard let subject, words.count == 2 || verb == "IGNORE" else { return nil }
        if verb == "IGNORE" || verb == "UNIGNORE" {
            guard IgnoreEntry.isPattern(subject) else { return nil }
            guard verb == "IGNORE" else {
                self = .unignore(subject)
                return
            }
            guard words.count == 3 else {
                self = .ignore(subject, nil)
                return
            }
            guard let time = IgnoreEntry.time(words[2]) else { return nil }
            self = .ignore(subject, time)
            return
        }
        guard let name = AccountName(subject) else { return nil }
        switch verb {
        case "DISABLE": self = .disable(name)
        case "ENABLE": self = .enable(name)
        case "LOGOUT": self = .logOut(name)
        default: return nil
        }
    }
}
