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
    /// What was asked from one moment to another, latest first.
    ///
    /// The one reading of exchanges that goes over accounts: it tells counts, and no text. Ids go up with time, so it goes
    /// back from the last one until a whole page was asked before, without an index that every question would pay for.
    /// A clock that was set back, or a row of whatever date, hides no more than that.
    public func usage(from start: Timestamp, to end: Timestamp) async throws(StoreFailure) -> [UsageRecord] {
        try await read { (connection) throws(StoreFailure) in
            var records: [UsageRecord] = []
            var last = Int64.max
            while true {
                let page = try connection.rows(
                    """
                    SELECT id, asked_at, account_id, network, place, CASE
                        WHEN asked_at NOT BETWEEN ?2 AND ?3 THEN 0
                        WHEN prompt_tokens IS NOT NULL OR completion_tokens IS NOT NULL
                            THEN max(coalesce(prompt_tokens, 0), 0) + max(coalesce(completion_tokens, 0), 0)
                        WHEN answer IS NULL THEN 0
                        ELSE (length(question) + length(answer) + 3) / 4 END
                    FROM exchanges WHERE id <= ?1 ORDER BY id DESC LIMIT 500
                    """, [.integer(last), .integer(start.milliseconds), .integer(end.milliseconds)]
                ) { (row) throws(StoreFailure) in (id: row.integer(0), record: UsageRecord(row: row)) }
                records += page.map(\.record).filter { (start...end).contains($0.askedAt) }
                let isOver = page.allSatisfy { $0.record.askedAt < start }
                guard let first = page.last?.id, !isOver, first > .min else { return records }
                last = first - 1
            }
        }
    }
}

extension UsageRecord {
    /// Reads asked_at, account_id, network, place and tokens, in this order and behind an id.
    fileprivate init(row: Row) {
        self.init(
            account: AccountID(row.integer(2)), network: NetworkName(row.text(3)), place: row.text(4),
            askedAt: Timestamp(milliseconds: row.integer(1)), tokens: Int(row.integer(5)))
    }
}
