public import Domain

/// That something was asked, by whom and where, and what it cost; without a word of it.
public struct UsageRecord: Sendable, Equatable {
    public let account: AccountID
    public let network: NetworkName
    /// The channel folded; empty in private.
    public let place: String
    public let askedAt: Timestamp
    /// As the API counted them; else a token for four letters of question and answer.
    public let tokens: Int
}

extension Store {
    /// What was asked since a moment, oldest first.
    ///
    /// The one reading of exchanges that goes over accounts: it tells counts, and no text. Ids go up with time, so where it
    /// begins is found by halving, without an index that every question would pay for.
    public func usage(since start: Timestamp) async throws(StoreFailure) -> [UsageRecord] {
        try await read { (connection) throws(StoreFailure) in
            var low: Int64 = 0
            var high = try connection.number("SELECT coalesce(max(id), 0) + 1 FROM exchanges", [])
            while low < high {
                let middle = (low + high) / 2
                let askedAt = try connection.number(
                    "SELECT asked_at FROM exchanges WHERE id >= ? ORDER BY id LIMIT 1", [.integer(middle)])
                if askedAt >= start.milliseconds { high = middle } else { low = middle + 1 }
            }
            return try connection.rows(
                """
                SELECT account_id, network, place, asked_at, CASE
                    WHEN prompt_tokens IS NOT NULL OR completion_tokens IS NOT NULL
                        THEN coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)
                    WHEN answer IS NULL THEN 0
                    ELSE (length(question) + length(answer) + 3) / 4 END
                FROM exchanges WHERE id >= ? AND asked_at >= ? ORDER BY id
                """, [.integer(low), .integer(start.milliseconds)]
            ) { (row) throws(StoreFailure) in
                UsageRecord(
                    account: AccountID(row.integer(0)), network: NetworkName(row.text(1)), place: row.text(2),
                    askedAt: Timestamp(milliseconds: row.integer(3)), tokens: Int(row.integer(4)))
            }
        }
    }
}
