public import Domain

/// What a code sent by e-mail is good for.
public enum CodePurpose: String, Sendable {
    /// Choosing another password.
    case reset
    /// Proving that the address is the account's owner's.
    case verify
}

/// Codes sent by e-mail, good for a while; all of an account and purpose end when one of them is used.
extension Store {
    /// Keeps the hash of a new code; those that are too old go.
    public func keepCode(
        hash: String, for purpose: CodePurpose, of account: AccountID, sentTo email: EmailAddress, at now: Timestamp,
        until end: Timestamp
    ) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "DELETE FROM codes WHERE account_id = ? AND expires_at <= ?",
                [.integer(account.value), .integer(now.milliseconds)])
            try connection.run(
                """
                INSERT OR REPLACE INTO codes (account_id, purpose, hash, email_folded, expires_at)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    .integer(account.value), .text(purpose.rawValue), .text(hash), .text(email.folded),
                    .integer(end.milliseconds),
                ])
        }
    }

    /// Whether this is a code, which it is only once. The address it was sent to is verified by
    /// it, if it is still the account's.
    public func useCode(
        hash: String, for purpose: CodePurpose, of account: AccountID, at time: Timestamp
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            let key: [Value] = [.integer(account.value), .text(purpose.rawValue)]
            let right = try connection.number(
                """
                SELECT count(*) FROM codes JOIN accounts ON accounts.id = account_id
                WHERE account_id = ? AND purpose = ? AND hash = ? AND expires_at > ?
                    AND codes.email_folded = accounts.email_folded
                """, key + [.text(hash), .integer(time.milliseconds)])
            guard right == 1 else { return false }
            try connection.run("DELETE FROM codes WHERE account_id = ? AND purpose = ?", key)
            try connection.run(
                "UPDATE accounts SET is_email_verified = 1 WHERE id = ?", [.integer(account.value)])
            return true
        }
    }
}
