public import Domain

/// What is read back. Every query here takes an account and gives nothing of any other.
extension Store {
    /// The account's latest exchanges in every place, oldest first.
    public func history(of account: AccountID, last count: Int) async throws(StoreFailure) -> [Exchange] {
        try await read(
            """
            SELECT id, number, network, channel, question, answer, state, asked_at, failure FROM exchanges
            WHERE account_id = ? ORDER BY number DESC LIMIT ?
            """, [.integer(account.value), .integer(Int64(max(0, count)))], Exchange.init(row:)
        ).reversed()
    }

    /// One exchange by the number its account knows it by.
    public func exchange(number: Int, of account: AccountID) async throws(StoreFailure) -> Exchange? {
        try await read(
            """
            SELECT id, number, network, channel, question, answer, state, asked_at, failure FROM exchanges
            WHERE account_id = ? AND number = ?
            """, [.integer(account.value), .integer(Int64(number))], Exchange.init(row:)
        ).first
    }

    /// The latest turns of a conversation since it was last begun afresh, oldest first: those that have an answer with a
    /// word in it, and of a question that was asked again only the last answer. `retryOf` is about to be asked again.
    public func context(
        of account: AccountID, network: NetworkName, place: Place, limit: Int, retryOf: Int? = nil
    ) async throws(StoreFailure) -> [Prompt.Turn] {
        try await read(
            """
            SELECT question, answer FROM exchanges AS turn
            WHERE account_id = ?1 AND network = ?2 AND place = ?3 AND state IN ('answered', 'undelivered')
                AND answer <> '' AND number <> ?5 AND NOT EXISTS (
                    SELECT 1 FROM exchanges AS retry
                    WHERE retry.account_id = ?1 AND retry.retry_of = turn.number AND retry.retry_of IS NOT NULL
                        AND retry.state IN ('answered', 'undelivered'))
                AND number > coalesce((
                    SELECT starts_after FROM conversations WHERE account_id = ?1 AND network = ?2 AND place = ?3), 0)
            ORDER BY number DESC LIMIT ?4
            """,
            [
                .integer(account.value), .text(network.description), .text(place.key),
                .integer(Int64(max(0, limit))), .integer(Int64(retryOf ?? 0)),
            ]
        ) { (row) throws(StoreFailure) in
            Prompt.Turn(question: row.text(0), answer: row.text(1))
        }.reversed()
    }
}

extension Exchange {
    /// In place of a failure, for what its asker ended.
    static let stopped = "stopped"

    /// Reads id, number, network, channel, question, answer, state, asked_at, failure, in this order.
    init(row: Row) throws(StoreFailure) {
        guard let state = ExchangeState(rawValue: row.text(6)) else {
            throw StoreFailure(.damaged, "exchange \(row.integer(0)) is in a state that cannot be")
        }
        self.init(
            id: ExchangeID(row.integer(0)), number: Int(row.integer(1)), network: NetworkName(row.text(2)),
            channel: row.optionalText(3), question: row.text(4), answer: row.optionalText(5), state: state,
            askedAt: Timestamp(milliseconds: row.integer(7)), isStopped: row.optionalText(8) == Self.stopped)
    }
}
