public import Domain

/// What is stored of a question before it is asked.
public struct NewExchange: Sendable {
    public var account: AccountID
    /// Of the login by which it is asked: see `Account.loginEpoch`.
    public var loginEpoch: Int
    public var network: NetworkName
    public var place: Place
    public var nick: String
    public var question: String
    public var askedAt: Timestamp
    /// The number of the exchange whose question is asked again.
    public var retryOf: Int?

    public init(
        account: AccountID, loginEpoch: Int, network: NetworkName, place: Place, nick: String, question: String,
        askedAt: Timestamp, retryOf: Int? = nil
    ) {
        self.account = account
        self.loginEpoch = loginEpoch
        self.network = network
        self.place = place
        self.nick = nick
        self.question = question
        self.askedAt = askedAt
        self.retryOf = retryOf
    }
}

/// How an exchange goes on. Every step names the state it starts from, so none can overtake another: an answer that
/// arrives after its exchange was interrupted changes nothing.
extension Store {
    /// A question that is stored.
    public struct Begun: Sendable, Equatable {
        public let id: ExchangeID
        /// Among its account's own.
        public let number: Int
    }

    /// Stores a question as pending and numbers it. Nil, and nothing stored, where the login no longer holds: see `isGood`.
    public func begin(
        _ new: NewExchange, meanwhile: () async -> Void = {}
    ) async throws(StoreFailure) -> Begun? {
        try await write(meanwhile: meanwhile) { (connection) throws(StoreFailure) in
            let account = Value.integer(new.account.value)
            // Whatever number a damaged row has, there is a next one.
            let number = try connection.number(
                """
                SELECT coalesce(max(number), 0) + 1 FROM exchanges
                WHERE account_id = ? AND number BETWEEN 0 AND 9007199254740991
                """, [account])
            let id = try connection.insert(
                """
                INSERT INTO exchanges (account_id, number, network, place, channel, nick, question, asked_at, retry_of)
                SELECT id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM accounts
                WHERE id = ?1 AND login_epoch = ?2 AND is_disabled = 0
                """,
                [
                    account, .integer(Int64(new.loginEpoch)), .integer(number), .text(new.network.description),
                    .text(new.place.key), .optional(new.place.spelling), .text(new.nick), .text(new.question),
                    .integer(new.askedAt.milliseconds), .optional(new.retryOf),
                ])
            return connection.changes > 0 ? Begun(id: ExchangeID(id), number: Int(number)) : nil
        }
    }

    /// Puts a longer question in the place of one that is still pending, with what asking the shorter ones cost. False where
    /// it was no longer pending; what is not stored must not be asked.
    public func extend(
        _ exchange: ExchangeID, to question: String, spent tokens: Int
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET question = ?, answer = NULL, said = NULL, saying = NULL,
                    completion_tokens = nullif(?, 0)
                WHERE id = ? AND state = 'pending'
                """,
                [.text(question), .integer(Int64(tokens)), .integer(exchange.value)])
            return connection.changes > 0
        }
    }

    /// Stores the answer, and how far it will be said at once: pending becomes answered. False where the exchange was no
    /// longer pending; what is not stored must not be said.
    @discardableResult
    public func answer(
        _ exchange: ExchangeID, with completion: Completion, model: String, at time: Timestamp,
        progress: SayingProgress = SayingProgress()
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET state = 'answered', answer = ?, is_cut = ?, prompt_tokens = ?,
                    completion_tokens = ?, model = ?, ended_at = ?, said = ?, saying = ?
                WHERE id = ? AND state = 'pending'
                """,
                [
                    .text(completion.text), .integer(completion.isCut ? 1 : 0), .optional(completion.promptTokens),
                    .optional(completion.completionTokens), .text(model), .integer(time.milliseconds),
                    .optional(progress.rest), .optional(progress.written), .integer(exchange.value),
                ])
            return connection.changes > 0
        }
    }

    /// Stores why there is no answer, what came of it and what that cost: pending becomes failed. False where it was not
    /// pending.
    @discardableResult
    public func fail(
        _ exchange: ExchangeID, kind: CompletionFailure.Kind, partial: String, tokens: Int = 0, at time: Timestamp
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET state = 'failed', failure = ?, answer = nullif(?, ''),
                    completion_tokens = nullif(?, 0), ended_at = ?, said = coalesce(saying, said), saying = NULL
                WHERE id = ? AND state = 'pending'
                """,
                [
                    .text(kind.rawValue), .text(partial), .integer(Int64(tokens)), .integer(time.milliseconds),
                    .integer(exchange.value),
                ])
            return connection.changes > 0
        }
    }

    /// Notes that the network did not take the answer from this place on: answered becomes undelivered. False where it was
    /// not answered.
    @discardableResult
    public func markUndelivered(_ exchange: ExchangeID, from place: Int = 0) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET state = 'undelivered', said = ?, saying = NULL
                WHERE id = ? AND state = 'answered'
                """, [.integer(Int64(place)), .integer(exchange.value)])
            return connection.changes > 0
        }
    }

    /// Ends an exchange because the bot stops, or because its asker told it to and so knows of it, keeping what came of the
    /// answer, and what that cost: pending becomes interrupted. False where it was not pending.
    @discardableResult
    public func interrupt(
        _ exchange: ExchangeID, partial: String, tokens: Int = 0, isTold: Bool = false
    ) async throws(StoreFailure) -> Bool {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET state = 'interrupted', answer = nullif(?, ''),
                    completion_tokens = nullif(?, 0), is_told = ?, failure = ?,
                    said = coalesce(saying, said), saying = NULL
                WHERE id = ? AND state = 'pending'
                """,
                [
                    .text(partial), .integer(Int64(tokens)), .integer(isTold ? 1 : 0),
                    .optional(isTold ? Exchange.stopped : nil), .integer(exchange.value),
                ])
            return connection.changes > 0
        }
    }

    /// What a run of the bot that ended suddenly left behind.
    public struct Leftovers: Sendable, Equatable {
        /// Questions without an answer: interrupted now.
        public let unfinished: Int
        /// Answers that were stored and not wholly said: undelivered now, from where they were said.
        public let unsaid: Int
    }

    /// Settles what a run of the bot that ended suddenly left behind; for the start.
    public func settleLeftovers() async throws(StoreFailure) -> Leftovers {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                UPDATE exchanges SET state = 'interrupted', said = coalesce(saying, said), saying = NULL
                WHERE state = 'pending'
                """)
            let unfinished = connection.changes
            try connection.run(
                """
                UPDATE exchanges SET said = saying, saying = NULL,
                    state = CASE state WHEN 'answered' THEN 'undelivered' ELSE state END
                WHERE saying IS NOT NULL
                """)
            return Leftovers(unfinished: unfinished, unsaid: connection.changes)
        }
    }

    /// The interrupted exchanges their asker was not told of, oldest first; each is handed out once.
    public func takeInterruptedNotices(of account: AccountID) async throws(StoreFailure) -> [Exchange] {
        try await write { (connection) throws(StoreFailure) in
            let exchanges = try connection.rows(
                """
                SELECT id, number, network, channel, question, answer, state, asked_at, failure FROM exchanges
                WHERE account_id = ? AND state = 'interrupted' AND is_told = 0 ORDER BY number
                """, [.integer(account.value)], Exchange.init(row:))
            try connection.run(
                "UPDATE exchanges SET is_told = 1 WHERE account_id = ? AND state = 'interrupted' AND is_told = 0",
                [.integer(account.value)])
            return exchanges
        }
    }
}
