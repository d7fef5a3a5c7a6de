import Domain
import Glibc
import Passwords
import Runtime
import Storage

/// `confab account …`: what an operator does to accounts, also while the bot runs.
enum AccountCommand: Equatable {
    case list
    case show(AccountName)
    case disable(AccountName)
    case enable(AccountName)
    case admin(AccountName, isOn: Bool)
    case setPassword(AccountName)
    /// `isSure` spares the question.
    case delete(AccountName, isSure: Bool)

    /// Does it on the database of this configuration.
    func run(file: String?) async -> ExitStatus {
        await StoreVisit.run(file: file) { (store, configuration) throws(StoreFailure) in
            try await perform(on: store, configuration.accounts)
        }
    }

    private func perform(on store: Store, _ settings: Configuration.Accounts) async throws(StoreFailure) -> ExitStatus {
        guard let name else {
            for line in AccountTable.lines(try await store.accountRecords()) { say(line) }
            return .success
        }
        guard let record = try await store.accountRecord(of: name) else {
            complain("there is no account \(name). `confab account list` shows those there are.")
            return .noSuchAccount
        }
        return try await perform(on: record, settings, store)
    }

    private func perform(
        on record: AccountRecord, _ settings: Configuration.Accounts, _ store: Store
    ) async throws(StoreFailure) -> ExitStatus {
        let name = record.account.name
        switch self {
        case .list: return .success
        case .show:
            for line in AccountTable.lines(of: record, try await store.servicesLinks(of: record.account.id)) {
                say(line)
            }
            return .success
        case .disable:
            _ = try await store.setDisabled(true, name)
            return try await done(
                "disabled", name, "\(name) is disabled: its logins are over, and none is let in.", store)
        case .enable:
            _ = try await store.setDisabled(false, name)
            return try await done("enabled", name, "\(name) may log in again.", store)
        case .admin(_, let isOn):
            _ = try await store.setAdministrator(isOn, name)
            let words = isOn ? "\(name) is an administrator: /msg the bot ADMIN" : "\(name) is no administrator."
            return try await done(isOn ? "made administrator" : "made no administrator", name, words, store)
        case .setPassword:
            return try await setPassword(of: record.account, settings, store)
        case .delete(_, let isSure):
            return try await delete(record, isSure: isSure, store)
        }
    }

    private func setPassword(
        of account: Account, _ settings: Configuration.Accounts, _ store: Store
    ) async throws(StoreFailure) -> ExitStatus {
        let hash: String
        do {
            let password = try PasswordPrompt.newPassword(for: account.name, atLeast: settings.minPasswordLength)
            hash = try await PasswordHasher(threads: 1, strength: settings.strength).hash(password)
        } catch let refusal as PasswordPrompt.Refusal {
            complain(refusal.words)
            return .badInput
        } catch PasswordFailure.unsuitable {
            complain("that password has a character that cannot be seen or does not exist. Nothing was changed.")
            return .badInput
        } catch {
            complain("the password could not be hashed: \(error)")
            return .badInput
        }
        let changed = try await store.changePassword(hash: hash, of: account.id)
        let links = changed?.endedLinks ?? 0
        return try await done(
            "gave another password", account.name,
            "\(account.name) has a new password, and its logins are over."
                + (links > 0 ? " Its links to services accounts (\(links)) are ended." : ""), store)
    }

    private func delete(_ record: AccountRecord, isSure: Bool, _ store: Store) async throws(StoreFailure) -> ExitStatus
    {
        let name = record.account.name
        if !isSure {
            let question =
                "This deletes \(name) and its \(record.exchangeCount) exchanges, for good. Type the name to confirm: "
            guard PasswordPrompt.line(question) == name.spelling else {
                complain("nothing was deleted. Type the account's name, or say --yes.")
                return .badInput
            }
        }
        let count = try await store.delete(record.account.id) ?? 0
        return try await done("deleted", name, "\(name) and its \(count) exchanges are deleted.", store)
    }

    private func done(
        _ action: String, _ name: AccountName, _ words: String, _ store: Store
    ) async throws(StoreFailure) -> ExitStatus {
        try await store.audit(
            action, of: name.spelling, by: StoreVisit.actor, at: Time.system.wall())
        say(words)
        return .success
    }

    private var name: AccountName? {
        switch self {
        case .list: nil
        case .show(let name), .disable(let name), .enable(let name), .admin(let name, _), .setPassword(let name),
            .delete(let name, _):
            name
        }
    }
}
