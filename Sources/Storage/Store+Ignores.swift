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

    /// Whether this is a mask rather than an account.
    public var isMask: Bool { Self.isMask(pattern) }

    private static func isMask(_ text: String) -> Bool { text.contains("@") || text.contains("!") }

    /// Whether this can be ignored: an account, or a mask that does not match everybody.
    public static func isPattern(_ text: String) -> Bool {
        guard isMask(text) else { return AccountName(text) != nil }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.contains { $0.isLetter || $0.isNumber }
    }

    /// How long to ignore, as people write it: `30m`, `12h` or `7d`.
    public static func time(_ word: String) -> Duration? {
        let units = ["m": 60, "h": 3600, "d": 86_400]
        guard let unit = word.last.flatMap({ units[$0.lowercased()] }), let count = Int(word.dropLast()) else {
            return nil
        }
        return (1...10_000).contains(count) ? .seconds(count * unit) : nil
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
