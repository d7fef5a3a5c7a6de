public import Runtime

/// Accounts and exchanges, in one SQLite file that survives whatever ends the process.
///
/// Two threads of the store's own, since SQLite blocks while the disk works: all writes happen on one, all reads on the
/// other, so that a long read delays no question. A write returns when it is on the disk (WAL with `synchronous = FULL`,
/// <https://sqlite.org/wal.html>), together with all others that arrived with it: see `GroupCommit`. A read sees what is
/// committed. No read of exchanges exists without an account.
///
/// Its calls leave the caller on its own thread and tell it there when they are done: every question waits for two writes,
/// and each thread that must be woken for one costs as much as a good part of the disk's time.
public final class Store: Sendable {
    private let writer: Writer
    private let reader: Reader

    /// Opens the store in this directory, making directory (0700) and file (0600) where they are missing.
    ///
    /// Refuses looser modes, a directory another bot works in, a damaged file and one of a later version; what it refuses
    /// it leaves as it was.
    public static func open(directory path: String, log: Log) throws(StoreFailure) -> Store {
        let directory = try StateDirectory(path)
        let writing = try Connection(path: directory.database, for: .writing)
        try Schema.check(writing)
        try Schema.checkPages(writing, log: log)
        try makeDurable(writing)
        try Schema.migrate(writing, log: log)
        return try Store(directory, writing, log)
    }

    /// Opens a store that is there, also while its bot runs: SQLite sees to it that neither harms the other.
    ///
    /// The layout stays as it is. One that is not of this version is refused.
    public static func visit(directory path: String, log: Log) throws(StoreFailure) -> Store {
        let directory = try StateDirectory(visiting: path)
        let writing = try Connection(path: directory.database, for: .writing)
        try Schema.check(writing)
        try Schema.checkVersion(writing)
        try makeDurable(writing)
        return try Store(directory, writing, log)
    }

    private init(
        _ directory: sending StateDirectory, _ writing: sending Connection, _ log: Log
    ) throws(StoreFailure) {
        reader = try Reader(path: directory.database)
        writer = Writer(directory, writing, log: log)
    }

    /// Commits what is under way, closes the file and lets another bot have it; whatever is asked later fails.
    public func close() async {
        await writer.close()
        await reader.close()
        await writer.leave()
    }

    /// Throws `gone` where the database was deleted or replaced: then nothing is written any more. Looked at before and after
    /// every write; this is for a bot whom nobody asks anything.
    public func check() async throws(StoreFailure) { try await writer.check() }

    private static func makeDurable(_ connection: Connection) throws(StoreFailure) {
        let mode = try connection.rows("PRAGMA journal_mode = WAL") { (row) throws(StoreFailure) in row.text(0) }
        guard mode == ["wal"] else {
            throw StoreFailure(
                .other, "this file system carries no write-ahead log",
                hint: "Put the state_directory on a local disk, not on a network file system.")
        }
        try connection.run("PRAGMA synchronous = FULL")
        // `GroupCommit` makes the checkpoints. The log's file is kept, since writing over it costs the disk less than
        // letting it grow, but not the size that some long reader made it.
        try connection.run("PRAGMA wal_autocheckpoint = 0")
        try connection.run("PRAGMA journal_size_limit = 67108864")
    }

    /// Does one write, all of it or nothing, and returns when it is on the disk. What is done `meanwhile` costs no time
    /// beside the disk's.
    func write<T: Sendable>(
        meanwhile: () async -> Void = {}, _ body: @escaping @Sendable (Connection) throws(StoreFailure) -> T
    ) async throws(StoreFailure) -> T {
        try await writer.write(body, meanwhile: meanwhile)
    }

    /// Sees to it that nothing of what was deleted is left in file and log; done when this returns, unless somebody reads
    /// for long, and then soon. A file of more than 64 MiB is not written anew: pages of it may keep pieces of rows that
    /// were once moved to other pages.
    func forgetDeleted() async { await writer.forgetDeleted() }

    /// Reads what is committed.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreFailure) -> T
    ) async throws(StoreFailure) -> T {
        try await reader.read(body)
    }

    /// Reads rows of what is committed.
    func read<T: Sendable>(
        _ sql: StaticString, _ values: [Value], _ row: @escaping @Sendable (Row) throws(StoreFailure) -> T
    ) async throws(StoreFailure) -> [T] {
        try await read { (connection) throws(StoreFailure) in try connection.rows(sql, values, row) }
    }
}
