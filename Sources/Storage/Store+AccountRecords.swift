public import Domain

/// An account as its operator sees it.
public struct AccountRecord: Sendable {
    public let account: Account
    public let isAdministrator: Bool
    public let isDisabled: Bool
    /// The password was said in public and not changed since.
    public let isPasswordExposed: Bool
    public let lastLoginAt: Timestamp?
    public let exchangeCount: Int
}

/// Something an administrator or the operator did.
public struct AuditRecord: Sendable, Equatable {
    public let at: Timestamp
    public let actor: String
    public let action: String
    public let subject: String
}

/// What operators and administrators read and leave behind.
extension Store {
    /// Every account, by name.
    public func accountRecords() async throws(StoreFailure) -> [AccountRecord] {
        try await read(
            """
            SELECT id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified,
                listen, format, model, language, lines, persona,
                is_administrator, is_disabled, password_exposed_by, last_login_at,
                (SELECT count(*) FROM exchanges WHERE account_id = accounts.id)
            FROM accounts ORDER BY name_folded
            """, [], AccountRecord.init(row:))
    }

    /// The account of this name; nil where there is none.
    public func accountRecord(of name: AccountName) async throws(StoreFailure) -> AccountRecord? {
        try await read(
            """
            SELECT id, name, email, first_name, last_name, registered_at, login_epoch, is_email_verified,
                listen, format, model, language, lines, persona,
                is_administrator, is_disabled, password_exposed_by, last_login_at,
                (SELECT count(*) FROM exchanges WHERE account_id = accounts.id)
            FROM accounts WHERE name_folded = ?
            """, [.text(name.folded)], AccountRecord.init(row:)
        ).first
    }

    /// What was done lately, oldest first.
    public func auditRecords(last count: Int) async throws(StoreFailure) -> [AuditRecord] {
        try await read(
            "SELECT at, actor, action, subject FROM audit ORDER BY id DESC LIMIT ?", [.integer(Int64(count))]
        ) { (row) throws(StoreFailure) in
            AuditRecord(
                at: Timestamp(milliseconds: row.integer(0)), actor: row.text(1), action: row.text(2),
                subject: row.text(3))
        }.reversed()
    }

    /// Keeps what an administrator did: who, what, to whom.
    public func audit(
        _ action: String, of subject: String, by actor: String, at time: Timestamp
    ) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.audit(action, of: subject, by: actor, at: time)
        }
    }
}

extension Connection {
    /// `Store.audit` as a part of another write.
    func audit(
        _ action: String, of subject: String, by actor: String, at time: Timestamp
    ) throws(StoreFailure) {
        try run(
            "INSERT INTO audit (at, actor, action, subject) VALUES (?, ?, ?, ?)",
            [.integer(time.milliseconds), .text(actor), .text(action), .text(subject)])
    }
}

extension AccountRecord {
    fileprivate init(row: Row) throws(StoreFailure) {
        self.init(
            account: try Account(row), isAdministrator: row.integer(14) != 0, isDisabled: row.integer(15) != 0,
            isPasswordExposed: row.optionalText(16) != nil,
            lastLoginAt: row.optionalInteger(17).map { Timestamp(milliseconds: $0) },
            exchangeCount: Int(row.integer(18)))
    }
}
