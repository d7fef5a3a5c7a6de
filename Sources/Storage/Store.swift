public import Runtime

/// Accounts and exchanges, in one SQLite file that survives whatever ends the process.
///
/// Everything happens on one thread of the store's own, since SQLite blocks while the disk works. A write returns when it
/// is on the disk (WAL with `synchronous = FULL`, <https://sqlite.org/wal.html>), together with all others that arrived
/// with it: see `GroupCommit`. A read sees what is committed. No read of exchanges exists without an account.
public actor Store {
    /// What is open from `open` to `close`.
    struct Database {
        let writes: GroupCommit
        let reading: Connection
        let directory: StateDirectory
    }

    private let executor: ThreadExecutor
    private var database: Database?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

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
        return try committing(Store(directory, writing, log))
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
        return try committing(Store(directory, writing, log))
    }

    private static func committing(_ store: Store) -> Store {
        store.executor.setAfterBatch { [weak store] in
            store?.assumeIsolated { store in store.database?.writes.finish() }
        }
        return store
    }

    private init(_ directory: StateDirectory, _ writing: Connection, _ log: Log) throws(StoreFailure) {
        let reading = try Connection(path: directory.database, for: .reading)
        database = Database(writes: GroupCommit(writing, log: log), reading: reading, directory: directory)
        executor = ThreadExecutor(name: "store")
    }

    deinit { executor.stop() }

    /// Commits what is under way, closes the file and lets another bot have it; whatever is asked later fails.
    public func close() {
        database?.writes.finish()
        database = nil
    }

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

    /// Does one write, all of it or nothing, and returns when it is on the disk.
    func write<T>(_ body: (Connection) throws(StoreFailure) -> T) async throws(StoreFailure) -> T {
        let writes = try opened().writes
        let result = try writes.perform(body)
        try await withCheckedContinuation { writes.wait($0) }.get()
        return result
    }

    /// Reads what is committed.
    func read<T>(
        _ sql: StaticString, _ values: [Value], _ row: (Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> [T] {
        try opened().reading.rows(sql, values, row)
    }

    func opened() throws(StoreFailure) -> Database {
        guard let database else { throw StoreFailure(.other, "the store is closed", hint: "Start the bot again.") }
        return database
    }
}
