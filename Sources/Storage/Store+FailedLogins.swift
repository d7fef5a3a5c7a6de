public import Domain

/// Wrong passwords from one host, since the owner last heard of them.
public struct FailedLogins: Sendable, Equatable {
    public let network: NetworkName
    public let host: String
    public let count: Int
    public let lastAt: Timestamp
}

/// Wrong passwords, kept until the account's owner is told.
extension Store {
    /// Counts a wrong password for an account; nothing where the account is gone.
    public func noteFailedLogin(
        of account: AccountID, network: NetworkName, host: String, at time: Timestamp
    ) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                INSERT INTO failed_logins (account_id, network, host, count, last_at)
                SELECT id, ?2, ?3, 1, ?4 FROM accounts WHERE id = ?1
                ON CONFLICT (account_id, network, host) DO UPDATE SET count = min(count, 999999999) + 1, last_at = excluded.last_at
                """,
                [.integer(account.value), .text(network.description), .text(host), .integer(time.milliseconds)])
        }
    }

    /// The wrong passwords that the owner was not told of yet, most first; each is handed out once.
    public func takeFailedLogins(of account: AccountID) async throws(StoreFailure) -> [FailedLogins] {
        try await write { (connection) throws(StoreFailure) in
            let failed = try connection.rows(
                "SELECT network, host, count, last_at FROM failed_logins WHERE account_id = ? ORDER BY count DESC, host",
                [.integer(account.value)]
            ) { (row) throws(StoreFailure) in
                FailedLogins(
                    network: NetworkName(row.text(0)), host: row.text(1), count: Int(row.integer(2)),
                    lastAt: Timestamp(milliseconds: row.integer(3)))
            }
            try connection.run("DELETE FROM failed_logins WHERE account_id = ?", [.integer(account.value)])
            return failed
        }
    }
}
