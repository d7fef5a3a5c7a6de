import Domain
import Runtime
import Storage

/// ADMIN: what administrators do from IRC. Who is one is asked of the store each time, and kept there from the command line
/// only; what they do is kept too.
extension Bot {
    // MARK: Deciding

    func admin(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        guard let action = AdminRequest.Action(arguments) else { return notice(Phrases.adminUsage(bot), to: speaker) }
        return [.admin(AdminRequest(speaker: speaker, visit: visit, administrator: login.account, action: action))]
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
            logStoreFailure(error, during: "reading whom to ignore")
        }
    }

    func administer(_ request: AdminRequest) async {
        let lines = await outcome(of: request)
        await perform(notice(lines, to: request.speaker))
    }

    private func outcome(of request: AdminRequest) async -> [String] {
        let name = request.administrator.name
        do {
            guard await isStillGood(request.administrator),
                try await store.accountRecord(of: name)?.isAdministrator == true
            else { return Phrases.notAnAdministrator }
            let lines = try await perform(request.action, by: name)
            try await store.audit(
                request.action.verb, of: request.action.subject, by: "account \(name)", at: time.wall())
            log.info(
                "An administrator acted",
                ["account": name, "action": request.action.verb, "subject": request.action.subject])
            return lines
        } catch {
            logStoreFailure(error, during: "ADMIN", of: name)
            return Phrases.storeFailed
        }
    }

    private func perform(_ action: AdminRequest.Action, by admin: AccountName) async throws(StoreFailure) -> [String] {
        switch action {
        case .accounts(let part):
            let folded = CaseMapping.ascii.fold(part)
            let all = try await store.accountRecords().filter {
                part.isEmpty || $0.account.name.folded.contains(folded)
            }
            return Phrases.adminAccounts(all.prefix(Self.mostListed).map { $0 }, of: all.count) { id in
                roster.logins(of: id).count
            }
        case .disable(let name):
            guard name != admin else { return Phrases.notYourself }
            guard let record = try await store.accountRecord(of: name) else { return Phrases.noSuchAccount(name) }
            _ = try await store.setDisabled(true, name)
            await endLogins(of: record.account.id, .closed)
            return Phrases.adminDone("\(record.account.name) is disabled, and its logins are over.")
        case .enable(let name):
            let isThere = try await store.setDisabled(false, name)
            return isThere ? Phrases.adminDone("\(name) may log in again.") : Phrases.noSuchAccount(name)
        case .logOut(let name):
            guard let record = try await store.accountRecord(of: name) else { return Phrases.noSuchAccount(name) }
            let count = roster.logins(of: record.account.id).count
            await endLogins(of: record.account.id, .closed)
            return Phrases.adminDone("\(record.account.name) is logged out (\(count)).")
        case .ignore(let pattern, let time):
            let end = time.map { self.time.wall() + $0 }
            let entry = IgnoreEntry(pattern: pattern, expiresAt: end)
            try await store.ignore(entry, by: "account \(admin)", at: self.time.wall())
            await loadIgnores()
            return Phrases.adminDone("I do not listen to \(pattern) \(end.map { "until \($0)" } ?? "any more").")
        case .unignore(let pattern):
            let wasThere = try await store.unignore(pattern)
            await loadIgnores()
            let entries = try await store.ignores(at: time.wall()).map(\.pattern)
            return Phrases.unignored(pattern, wasThere: wasThere, entries)
        }
    }

    private static let mostListed = 20
}

/// ADMIN, as it was typed.
struct AdminRequest: Sendable {
    enum Action: Sendable, Equatable {
        case accounts(String)
        case disable(AccountName)
        case enable(AccountName)
        case logOut(AccountName)
        case ignore(String, Duration?)
        case unignore(String)

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

        var verb: String {
            switch self {
            case .accounts: "ACCOUNTS"
            case .disable: "DISABLE"
            case .enable: "ENABLE"
            case .logOut: "LOGOUT"
            case .ignore(_, let time): time == nil ? "IGNORE" : "IGNORE for \(time?.components.seconds ?? 0) s"
            case .unignore: "UNIGNORE"
            }
        }

        var subject: String {
            switch self {
            case .accounts(let text), .ignore(let text, _), .unignore(let text): text
            case .disable(let name), .enable(let name), .logOut(let name): name.spelling
            }
        }
    }

    let speaker: Speaker
    let visit: VisitID
    let administrator: Account
    let action: Action
}
