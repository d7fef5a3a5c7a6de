public import Domain

/// Where a conversation stands.
extension Store {
    /// Begins a conversation afresh: what was asked before, a question still unanswered included, is no context any more.
    public func startAfresh(_ account: AccountID, network: NetworkName, place: Place) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                INSERT INTO conversations (account_id, network, place, starts_after)
                SELECT ?1, ?2, ?3, coalesce(max(number), 0) FROM exchanges
                WHERE account_id = ?1 AND number BETWEEN 0 AND 9007199254740991
                ON CONFLICT DO UPDATE SET starts_after = excluded.starts_after
                """, [.integer(account.value), .text(network.description), .text(place.key)])
        }
    }

    /// The last question of a conversation, whatever became of it.
    public func lastExchange(
        of account: AccountID, network: NetworkName, place: Place
    ) async throws(StoreFailure) -> Exchange? {
        try await read(
            """
            SELECT id, number, network, channel, question, answer, state, asked_at, failure FROM exchanges
            WHERE account_id = ? AND network = ? AND place = ? ORDER BY number DESC LIMIT 1
            """, [.integer(account.value), .text(network.description), .text(place.key)], Exchange.init(row:)
        ).first
    }
}
