import CSQLite
import Runtime

/// One connection to the database, with every statement it ever prepared.
///
/// Confined to the store's thread: it is opened in SQLite's multi-thread mode (<https://sqlite.org/threadsafe.html>),
/// which takes no lock of its own. All SQL is `StaticString`, so a value can only be bound, never pasted in.
@safe final class Connection {
    enum Access {
        case writing, reading
    }

    private let handle: OpaquePointer
    /// By the address of the literal: the same place in the source is the same statement.
    private var statements: [UInt: Statement] = [:]

    /// Opens a file that exists; a connection for reading sees what is committed, and only that.
    init(path: String, for access: Access) throws(StoreFailure) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened else {
            throw StoreFailure(code: code, systemError: 0, message: "no memory for a connection")
        }
        unsafe handle = connection
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: connection) }
        unsafe sqlite3_busy_timeout(connection, Self.patience)
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA trusted_schema = OFF")
        // A damaged page is then found when it is read, rather than followed.
        try run("PRAGMA cell_size_check = ON")
        // In KiB when negative. Questions and answers are read once; a small cache is enough, and none of it is mapped.
        try run("PRAGMA cache_size = -512")
        try run("PRAGMA mmap_size = 0")
        // Else deleting much, and VACUUM, would need a directory for temporary files, which a container may not have.
        try run("PRAGMA temp_store = MEMORY")
        // What somebody deletes is written over, not only left out of the tables.
        try run("PRAGMA secure_delete = ON")
        // Not SQLITE_OPEN_READONLY: whichever connection closes last has the log to put away.
        if access == .reading { try run("PRAGMA query_only = ON") }
    }

    deinit {
        statements.removeAll()
        unsafe sqlite3_close(handle)
    }

    /// Runs SQL and drops the rows it may give.
    func run(_ sql: StaticString, _ values: [Value] = []) throws(StoreFailure) {
        _ = try rows(sql, values) { (_) throws(StoreFailure) in }
    }

    /// Runs SQL and makes something of each row.
    func rows<T>(
        _ sql: StaticString, _ values: [Value] = [], _ row: (Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> [T] {
        try statement(sql).run(values, row)
    }

    /// The number in the first column of the first row; 0 where there is none.
    func number(_ sql: StaticString, _ values: [Value] = []) throws(StoreFailure) -> Int64 {
        try rows(sql, values) { (row) throws(StoreFailure) in row.integer(0) }.first ?? 0
    }

    /// Inserts one row and gives its id.
    ///
    /// Rather than RETURNING, for which SQLite builds and drops a temporary table at every run: that was most of the cost
    /// of storing a question.
    func insert(_ sql: StaticString, _ values: [Value]) throws(StoreFailure) -> Int64 {
        try run(sql, values)
        return unsafe sqlite3_last_insert_rowid(handle)
    }

    /// Runs several statements that take no values; for the schema.
    func execute(script: StaticString) throws(StoreFailure) {
        let text = unsafe UnsafeRawPointer(script.utf8Start).assumingMemoryBound(to: CChar.self)
        let code = unsafe sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: handle) }
    }

    /// How many rows the latest statement changed.
    var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// Whether a transaction is open: SQLite ends one by itself after some failures, a full disk among them
    /// (<https://sqlite.org/c3ref/get_autocommit.html>).
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Copies the log's pages into the database, as far as no reader needs the old ones, so that the log starts over;
    /// waits for nobody (<https://sqlite.org/c3ref/wal_checkpoint_v2.html>).
    func checkpoint() throws(StoreFailure) {
        _ = pages(isReset: true)
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: handle) }
    }

    /// Writes the file anew, if it is no larger than so many bytes (<https://sqlite.org/lang_vacuum.html>).
    ///
    /// `secure_delete` overwrites deleted rows where they are, and not the copies that SQLite left behind in the free part of
    /// a page when it moved rows to another one.
    func rewrite(upTo size: Int64) throws(StoreFailure) {
        guard try number("PRAGMA page_count") * number("PRAGMA page_size") <= size else { return }
        try run("VACUUM")
    }

    /// Copies all of the log into the database and cuts its file to nothing. False where somebody reads or writes for
    /// longer than a read takes.
    func emptyLog() throws(StoreFailure) -> Bool {
        unsafe sqlite3_busy_timeout(handle, 200)
        defer { unsafe sqlite3_busy_timeout(handle, Self.patience) }
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED { return false }
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: handle) }
        _ = pages(isReset: true)
        return true
    }

    /// How long to wait for another process, in milliseconds.
    private static let patience: Int32 = 5000

    /// Pages written to the log since the latest checkpoint.
    var pagesWritten: Int { pages(isReset: false) }

    private func statement(_ sql: StaticString) throws(StoreFailure) -> Statement {
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let statement = statements[key] { return statement }
        let statement = try unsafe Statement(sql, on: handle)
        statements[key] = statement
        return statement
    }

    private func pages(isReset: Bool) -> Int {
        var count: Int32 = 0
        var highest: Int32 = 0
        unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, isReset ? 1 : 0)
        return Int(count)
    }
}
