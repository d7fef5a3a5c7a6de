public import Domain

/// What becomes of an account after its registration.
///
/// A bot that runs may hold logins of it. Whatever must end them raises `login_epoch`, which the bot compares before it
/// does anything for a login: see `isGood`. At 2^53 it begins anew, so that there is always a next one.
extension Store {
    /// Whether a login that was made with this account still holds; false once it was disabled, deleted or given another
    /// password, from wherever.
    public func isGood(_ account: Account) async throws(StoreFailure) -> Bool {
        try await !read(
            "SELECT 1 FROM accounts WHERE id = ? AND login_epoch = ? AND is_disabled = 0",
            [.integer(account.id.value), .integer(Int64(account.loginEpoch))]
        ) { (_) throws(StoreFailure) in }.isEmpty
    }

    /// Gives the account another password, which ends its logins and its links to services accounts, and makes good that
    /// the old one was said in public. Nil where the account is no more.
    public func changePassword(hash: String, of account: AccountID) async throws(StoreFailure) -> PasswordChange? {
        try await write { (connection) throws(StoreFailure) -> PasswordChange? in
            try connection.run(
                """
                UPDATE accounts SET password_hash = ?, password_exposed_by = NULL, login_epoch = login_epoch % 9007199254740992 + 1
                WHERE id = ?
                """, [.text(hash), .integer(account.value)])
            try connection.run(
                "DELETE FROM codes WHERE account_id = ? AND purpose = 'reset'", [.integer(account.value)])
            let count = try connection.endLinks(of: account)
            return try Self.account(account, connection).map { PasswordChange(account: $0, endedLinks: count) }
        }
    }

    /// Notes that the password was said in public; until it is another, it opens nothing. Logins go on. False where that
    /// was known.
    public func exposePassword(of account: AccountID, by source: String) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE accounts SET password_exposed_by = ? WHERE id = ? AND password_exposed_by IS NULL",
                [.text(source), .integer(account.value)])
            return connection.changes > 0
        }
    }

    /// Closes an account, which ends its logins, or opens it again. False where there is none of this name.
    public func setDisabled(_ isDisabled: Bool, _ name: AccountName) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE accounts SET is_disabled = ?, login_epoch = login_epoch % 9007199254740992 + ?
                WHERE name_folded = ?
                """,
                [.integer(isDisabled ? 1 : 0), .integer(isDisabled ? 1 : 0), .text(name.folded)])
            return connection.changes > 0
        }
    }

    /// Makes someone an administrator, or no longer. False where there is none of this name.
    public func setAdministrator(_ isAdministrator: Bool, _ name: AccountName) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE accounts SET is_administrator = ? WHERE name_folded = ?",
                [.integer(isAdministrator ? 1 : 0), .text(name.folded)])
            return connection.changes > 0
        }
    }

    /// Sets the names a person goes by; the account as it is from then on.
    public func setNames(
        first: String?, last: String?, of account: AccountID
    ) async throws(StoreFailure) -> Account? {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE accounts SET first_name = ?, last_name = ? WHERE id = ?",
                [.optional(first), .optional(last), .integer(account.value)])
            return try Self.account(account, connection)
        }
    }

    /// Sets the e-mail address, which is unverified from then on. Nil where another account has it.
    public func setEmail(_ email: EmailAddress, of account: AccountID) async throws(StoreFailure) -> Account? {
        try await write { (connection) throws(StoreFailure) in
            let taken = try connection.number(
                "SELECT count(*) FROM accounts WHERE email_folded = ? AND id <> ?",
                [.text(email.folded), .integer(account.value)])
            guard taken == 0 else { return nil }
            try connection.run(
                "UPDATE accounts SET email = ?, email_folded = ?, is_email_verified = 0 WHERE id = ?",
                [.text(email.spelling), .text(email.folded), .integer(account.value)])
            // A code proves the address it was sent to.
            try connection.run("DELETE FROM codes WHERE account_id = ?", [.integer(account.value)])
            return try Self.account(account, connection)
        }
    }

    /// Deletes the account and everything that was kept for it, from the file and its log; how many exchanges that were,
    /// nil where there is none.
    public func delete(_ account: AccountID) async throws(StoreFailure) -> Int? {
        let count = try await write { (connection) throws(StoreFailure) -> Int? in
            let id = Value.integer(account.value)
            let exchanges = try connection.number("SELECT count(*) FROM exchanges WHERE account_id = ?", [id])
            try connection.run("DELETE FROM accounts WHERE id = ?", [id])
            return connection.changes > 0 ? Int(exchanges) : nil
        }
        await forgetDeleted()
        return count
    }

    /// Notes a login; from where, as `network user@host`, of which the latest are kept.
    public func noteLogin(of account: AccountID, from source: String, at time: Timestamp) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            let id = Value.integer(account.value)
            try connection.run(
                "UPDATE accounts SET last_login_at = ? WHERE id = ?", [.integer(time.milliseconds), id])
            guard connection.changes > 0 else { return }
            try connection.run(
                "INSERT OR REPLACE INTO login_sources (account_id, source, last_at) VALUES (?, ?, ?)",
                [id, .text(source), .integer(time.milliseconds)])
            try connection.run(
                """
                DELETE FROM login_sources WHERE account_id = ?1 AND source NOT IN (
                    SELECT source FROM login_sources WHERE account_id = ?1 ORDER BY last_at DESC, source = ?2 DESC LIMIT ?3)
                """, [id, .text(source), .integer(Self.keptLoginSources)])
        }
    }

    /// Addresses of an account's latest logins that are kept.
    static let keptLoginSources: Int64 = 8

    static func account(_ id: AccountID, _ connection: Connection) throws(StoreFailure) -> Account? {
        try connection.rows(
            """
            SELECT id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified,
                listen, format, model, language, lines, persona FROM accounts WHERE id = ?
            """, [.integer(id.value)]
        ) { (row) throws(StoreFailure) in try Account(row) }.first
    }
}

/// What giving an account another password brought about.
public struct PasswordChange: Sendable {
    /// As it is from then on.
    public let account: Account
    /// Services accounts that logged in to it until then.
    public let endedLinks: Int
}
