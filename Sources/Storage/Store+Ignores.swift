public import Domain

/// Somebody the bot does not listen to.
public struct IgnoreEntry: Sendable, Equatable {
    /// An account name, or a mask with an `!` or `@`; folded as ASCII.
    public let pattern: String
    /// Nil for good.
    public let expiresAt: Timestamp?

    public init(pattern: String, expiresAt: Timestamp?) {
        self.pattern = CaseMapping.ascii.fold(pattern)
        self.expiresAt = expiresAt
    }
}

/// Whom the bot does not listen to.
extension Store {
    /// Every entry that holds at this time.
    public func ignores(at time: Timestamp) async throws(StoreFailure) -> [IgnoreEntry] {
        try await read(
            "SELECT pattern, expires_at FROM ignores WHERE expires_at IS NULL OR expires_at > ? ORDER BY pattern",
            [.integer(time.milliseconds)]
        ) { (row) throws(StoreFailure) in
            IgnoreEntry(
                pattern: row.text(0), expiresAt: row.optionalInteger(1).map { Timestamp(milliseconds: $0) })
        }
    }

    /// Adds an entry, in place of one for the same pattern; those that are over are dropped.
    public func ignore(_ entry: IgnoreEntry, by actor: String, at time: Timestamp) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run("DELETE FROM ignores WHERE expires_at <= ?", [.integer(time.milliseconds)])
            let end = entry.expiresAt.map { Value.integer($0.milliseconds) } ?? .null
            try connection.run(
                "INSERT OR REPLACE INTO ignores (pattern, expires_at, made_by, made_at) VALUES (?, ?, ?, ?)",
                [.text(entry.pattern), end, .text(actor), .integer(time.milliseconds)])
        }
    }

    /// Takes an entry out; false where there is none.
    public func unignore(_ pattern: String) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "DELETE FROM ignores WHERE pattern = ?", [.text(CaseMapping.ascii.fold(pattern))])
            return connection.changes > 0
        }
    }
}
