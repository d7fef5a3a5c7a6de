public import Domain

/// What is stored of someone who registers.
public struct NewAccount: Sendable {
    public var name: AccountName
    public var email: EmailAddress?
    public var firstName: String?
    public var lastName: String?
    /// As `PasswordHasher` made it; the password itself never comes here.
    public var passwordHash: String
    public var registeredAt: Timestamp

    public init(
        name: AccountName, email: EmailAddress?, firstName: String? = nil, lastName: String? = nil,
        passwordHash: String, registeredAt: Timestamp
    ) {
        self.name = name
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.passwordHash = passwordHash
        self.registeredAt = registeredAt
    }
}

/// What became of a registration.
public enum AccountCreation: Sendable, Equatable {
    case created(Account)
    case nameTaken
    case emailTaken
}

/// An account and what its password is checked against.
public struct Credentials: Sendable {
    public let account: Account
    public let passwordHash: String
    /// An operator or administrator closed the account.
    public let isDisabled: Bool
    /// `network user@host` of whoever said the password in public; nil while it is secret.
    public let exposedBy: String?
    /// From where its latest logins came: `network user@host`, or `network host` where an earlier version kept them.
    public let loginSources: [String]
}

extension Store {
    /// Adds an account; name and e-mail address are unique without regard to case, the name being looked at first.
    public func createAccount(_ new: NewAccount) async throws(StoreFailure) -> AccountCreation {
        try await write { (connection) throws(StoreFailure) in
            let name = Value.text(new.name.folded)
            let email = Value.optional(new.email?.folded)
            guard try connection.number("SELECT count(*) FROM accounts WHERE name_folded = ?", [name]) == 0 else {
                return .nameTaken
            }
            guard try connection.number("SELECT count(*) FROM accounts WHERE email_folded = ?", [email]) == 0 else {
                return .emailTaken
            }
            let id = try connection.insert(
                """
                INSERT INTO accounts (name, name_folded, email, email_folded, first_name, last_name, password_hash,
                    registered_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(new.name.spelling), name, .optional(new.email?.spelling), email, .optional(new.firstName),
                    .optional(new.lastName), .text(new.passwordHash), .integer(new.registeredAt.milliseconds),
                ])
            return .created(
                Account(
                    id: AccountID(id), name: new.name, email: new.email, firstName: new.firstName,
                    lastName: new.lastName, registeredAt: new.registeredAt))
        }
    }

    /// The account of this name or e-mail address, with its password hash; nil where there is none.
    public func credentials(for login: String) async throws(StoreFailure) -> Credentials? {
        // No account name contains an @, so the two never compete.
        guard let key = AccountName(login)?.folded ?? EmailAddress(login)?.folded else { return nil }
        return try await read(
            """
            SELECT id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified,
                listen, format, model, language, lines, persona,
                password_hash, is_disabled, password_exposed_by,
                (SELECT group_concat(source, char(10)) FROM login_sources WHERE account_id = accounts.id) FROM accounts
            WHERE name_folded = ?1 OR email_folded = ?1
            """, [.text(key)], Credentials.init(row:)
        ).first
    }

    /// The account of this number, with its password hash; nil where there is none any more.
    public func credentials(of account: AccountID) async throws(StoreFailure) -> Credentials? {
        try await read(
            """
            SELECT id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified,
                listen, format, model, language, lines, persona,
                password_hash, is_disabled, password_exposed_by,
                (SELECT group_concat(source, char(10)) FROM login_sources WHERE account_id = accounts.id)
            FROM accounts WHERE id = ?
            """, [.integer(account.value)], Credentials.init(row:)
        ).first
    }

    /// Sets another password hash, after the password or the strength of hashing changed.
    public func replacePasswordHash(_ hash: String, of account: AccountID) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE accounts SET password_hash = ? WHERE id = ?", [.text(hash), .integer(account.value)])
        }
    }
}

extension Credentials {
    /// Reads what an account needs and then password_hash, is_disabled, password_exposed_by, and the login sources, one a
    /// line, in this order.
    fileprivate init(row: Row) throws(StoreFailure) {
        self.init(
            account: try Account(row), passwordHash: row.text(14), isDisabled: row.integer(15) != 0,
            exposedBy: row.optionalText(16),
            loginSources: (row.optionalText(17) ?? "").split(separator: "\n").map(String.init))
    }
}

extension Account {
    /// Reads id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified, and then what
    /// `Preferences` reads, in this order.
    init(_ row: Row) throws(StoreFailure) {
        guard let name = AccountName(row.text(1)) else {
            throw StoreFailure(.damaged, "account \(row.integer(0)) has a name that cannot be")
        }
        self.init(
            id: AccountID(row.integer(0)), name: name, email: row.optionalText(2).flatMap(EmailAddress.init),
            firstName: row.optionalText(3), lastName: row.optionalText(4),
            registeredAt: Timestamp(milliseconds: row.integer(5)), loginEpoch: Int(row.integer(6)),
            isEmailVerified: row.integer(7) != 0, preferences: Preferences(row, from: 8))
    }
}
