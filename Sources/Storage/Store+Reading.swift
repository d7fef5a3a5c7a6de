public import Domain

/// An answer, and how much of it its asker has got.
public struct UnreadAnswer: Sendable, Equatable {
    public let exchange: ExchangeID
    public let number: Int
    public let answer: String
    /// The model ended for want of tokens.
    public let isCut: Bool
    /// Bytes of its plain lines, each with a line end, that were said.
    public let said: Int
}

/// How far an answer is said, in places of it: bytes of its plain lines, each with a line end.
public struct SayingProgress: Sendable, Equatable {
    /// Where what is left of it begins once all that is to be said now is said; nil where nothing is left.
    public var rest: Int?
    /// Up to where it is written to the network or about to be; nil where nothing is still to be written.
    public var written: Int?

    public init(rest: Int? = nil, written: Int? = nil) {
        self.rest = rest
        self.written = written
    }
}

/// How far an account has come in reading its answers.
///
/// A place is stored before the lines up to it are written, so that no line is said twice, whenever the bot ends; and what
/// waits to be written is known, so that none is lost.
extension Store {
    /// The latest answer of which something is left, or that could not be said when it came; with a number that answer,
    /// from its start where nothing of it is left.
    public func unread(of account: AccountID, number: Int? = nil) async throws(StoreFailure) -> UnreadAnswer? {
        guard let number else {
            return try await read(
                """
                SELECT id, number, answer, is_cut, coalesce(said, 0) FROM exchanges
                WHERE account_id = ? AND (said IS NOT NULL OR state = 'undelivered') AND answer IS NOT NULL
                    AND state <> 'pending' ORDER BY number DESC LIMIT 1
                """, [.integer(account.value)], UnreadAnswer.init(row:)
            ).first
        }
        return try await read(
            """
            SELECT id, number, answer, is_cut, coalesce(said, 0) FROM exchanges
            WHERE account_id = ? AND number = ? AND answer IS NOT NULL AND state <> 'pending'
            """, [.integer(account.value), .integer(Int64(number))], UnreadAnswer.init(row:)
        ).first
    }

    /// How many answers could not be said when they came, and were not read since.
    public func undeliveredCount(of account: AccountID) async throws(StoreFailure) -> Int {
        try await read(
            """
            SELECT count(*) FROM exchanges
            WHERE account_id = ? AND (said IS NOT NULL OR state = 'undelivered') AND state = 'undelivered'
            """, [.integer(account.value)]
        ) { (row) throws(StoreFailure) in Int(row.integer(0)) }.first ?? 0
    }

    /// Keeps what has come of an answer that is said while it comes in, and how far it is said next. False where the
    /// exchange is no longer pending; what is not stored must not be said.
    public func keep(
        partial: String, _ progress: SayingProgress, of exchange: ExchangeID
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE exchanges SET answer = ?, said = ?, saying = ? WHERE id = ? AND state = 'pending'",
                [
                    .text(partial), .optional(progress.rest), .optional(progress.written), .integer(exchange.value),
                ])
            return connection.changes > 0
        }
    }

    /// Notes how far an answer is said next; where that is its end, an undelivered one is answered from now on.
    public func note(_ progress: SayingProgress, of exchange: ExchangeID) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET said = ?1, saying = ?2,
                    state = CASE WHEN ?1 IS NULL AND state = 'undelivered' THEN 'answered' ELSE state END
                WHERE id = ?3
                """, [.optional(progress.rest), .optional(progress.written), .integer(exchange.value)])
        }
    }

    /// Notes up to where an answer that is being said is written; nil where nothing of it is still to be written.
    public func note(written place: Int?, of exchange: ExchangeID) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "UPDATE exchanges SET saying = ? WHERE id = ?", [.optional(place), .integer(exchange.value)])
        }
    }
}

extension UnreadAnswer {
    /// Reads id, number, answer, is_cut and the bytes said, in this order.
    fileprivate init(row: Row) throws(StoreFailure) {
        self.init(
            exchange: ExchangeID(row.integer(0)), number: Int(row.integer(1)), answer: row.text(2),
            isCut: row.integer(3) != 0, said: Int(row.integer(4)))
    }
}
