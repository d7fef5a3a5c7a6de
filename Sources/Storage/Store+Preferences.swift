public import Domain

/// What people set for themselves.
extension Store {
    /// Sets all of it at once; the account as it is from then on, nil where it is no more.
    public func setPreferences(
        _ preferences: Preferences, of account: AccountID
    ) async throws(StoreFailure) -> Account? {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE accounts SET listen = ?, format = ?, model = ?, language = ?, lines = ?, persona = ?
                WHERE id = ?
                """,
                [
                    .optional(preferences.listen?.rawValue), .optional(preferences.format?.rawValue),
                    .optional(preferences.model), .optional(preferences.language), .optional(preferences.lines),
                    .optional(preferences.persona), .integer(account.value),
                ])
            return try Self.account(account, connection)
        }
    }
}

extension Preferences {
    /// Reads listen, format, model, language, lines, persona, in this order. A word of a later version counts as none.
    init(_ row: Row, from column: Int32) {
        self.init(
            listen: row.optionalText(column).flatMap(Listen.init(rawValue:)),
            format: row.optionalText(column + 1).flatMap(AnswerFormat.init(rawValue:)),
            model: row.optionalText(column + 2), language: row.optionalText(column + 3),
            lines: row.optionalInteger(column + 4).flatMap { $0 > 0 ? Int($0) : nil },
            persona: row.optionalText(column + 5))
    }
}
