import Runtime

/// Makes many writes durable with one COMMIT.
///
/// A COMMIT waits for the disk, whatever it carries. So the writes that arrive together go into one transaction, each in
/// a savepoint of its own, and the store's thread commits when no more are there. No writer hears of its success before
/// that COMMIT; if the COMMIT fails, every one of them hears of the failure.
final class GroupCommit {
    /// Told how the batch ended.
    typealias Listener = (Result<Void, StoreFailure>) -> Void

    /// Pages in the log before it is copied into the database: 4 MiB, some milliseconds of work.
    static let pagesBetweenCheckpoints = 1000

    /// 64 MiB: about a second in which nobody's question is stored.
    private static let rewrittenSize: Int64 = 64 << 20

    private let connection: Connection
    /// Throws where what is written would be lost.
    private let check: () throws(StoreFailure) -> Void
    private let log: Log
    /// Whether this batch has begun its transaction.
    private var isOpen = false
    /// Set when this batch is lost: the rest of it fails at once, rather than wait for a busy database one by one.
    private var failure: StoreFailure?
    private var listeners: [Listener] = []
    /// What was deleted is to be gone from the file: when that failed, again as often as the log is put away, for each try
    /// costs as much as the file is long.
    private var mustRewrite = false
    private var hasRewriteFailed = false
    /// And then from the log: after each batch until it is.
    private var mustEmptyLog = false

    init(_ connection: Connection, log: Log, check: @escaping () throws(StoreFailure) -> Void = {}) {
        self.connection = connection
        self.check = check
        self.log = log
    }

    /// Does one writer's work: all of it or, when it throws, nothing.
    func perform<T>(_ body: (Connection) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
        try begin()
        do {
            try connection.run("SAVEPOINT writer")
            let result = try body(connection)
            try connection.run("RELEASE writer")
            return result
        } catch {
            undo(after: error)
            throw error
        }
    }

    /// Tells somebody whose work is done when the batch is over.
    func wait(_ listener: @escaping Listener) { listeners.append(listener) }

    /// Ends the batch and tells its writers.
    func finish() {
        if isOpen && failure == nil { commit() }
        let result: Result<Void, StoreFailure> = failure.map(Result.failure) ?? .success(())
        isOpen = false
        failure = nil
        let told = listeners
        listeners.removeAll(keepingCapacity: true)
        for tell in told { tell(result) }
        checkpoint()
    }

    /// Sees to it that nothing of what was deleted is left in file and log: now, or after the batch that is under way.
    func forgetDeleted() {
        (mustRewrite, hasRewriteFailed) = (true, false)
        if !isOpen { checkpoint() }
    }

    /// Ends the batch, and does once more what could not be done so far: nobody waits for it now.
    func close() {
        hasRewriteFailed = false
        finish()
    }

    private func begin() throws(StoreFailure) {
        if let failure { throw failure }
        guard !isOpen else { return }
        do {
            try check()
            // IMMEDIATE: a transaction that turns from reading to writing could be refused without any waiting.
            try connection.run("BEGIN IMMEDIATE")
            isOpen = true
        } catch {
            failure = error
            throw error
        }
    }

    private func undo(after error: StoreFailure) {
        guard connection.isInTransaction else {
            failure = error
            return
        }
        do {
            try connection.run("ROLLBACK TO writer")
            try connection.run("RELEASE writer")
        } catch {
            abandon(after: error)
        }
    }

    private func commit() {
        do {
            try connection.run("COMMIT")
            try check()
        } catch {
            abandon(after: error)
        }
    }

    private func abandon(after error: StoreFailure) {
        failure = error
        // Nothing is left to be done if this fails too; the next BEGIN would say so.
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
    }

    private func rewrite() {
        mustEmptyLog = true
        do {
            try connection.rewrite(upTo: Self.rewrittenSize)
            mustRewrite = false
        } catch {
            hasRewriteFailed = true
            log.warning(
                "the file could not be written anew and may hold pieces of what was deleted; will be tried again",
                ["detail": error.detail, "hint": error.hint])
        }
    }

    /// Done here rather than by SQLite within a COMMIT, so that nobody waits for it who was already stored.
    private func checkpoint() {
        let isLogLong = connection.pagesWritten >= Self.pagesBetweenCheckpoints
        if mustRewrite && (isLogLong || !hasRewriteFailed) { rewrite() }
        guard mustEmptyLog || isLogLong else { return }
        do {
            if mustEmptyLog { mustEmptyLog = try !connection.emptyLog() } else { try connection.checkpoint() }
        } catch {
            // All is still in the log, and the next checkpoint takes it along.
            log.warning("checkpoint failed", ["detail": error.detail, "hint": error.hint])
        }
    }
}
