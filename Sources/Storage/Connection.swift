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

    /// Opens a file that exists; one that is opened for reading sees what is committed, and only that.
    init(path: String, for access: Access) throws(StoreFailure) {
        var opened: OpaquePointer?
        let mode = access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let code = unsafe sqlite3_open_v2(
            path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened else {
            throw StoreFailure(code: code, systemError: 0, message: "no memory for a connection")
        }
        unsafe handle = connection
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: connection) }
        unsafe sqlite3_busy_timeout(connection, 5000)
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA trusted_schema = OFF")
        // A damaged page is then found when it is read, rather than followed.
        try run("PRAGMA cell_size_check = ON")
        // In KiB when negative. Questions and answers are read once; a small cache is enough, and none of it is mapped.
        try run("PRAGMA cache_size = -512")
        try run("PRAGMA mmap_size = 0")
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

    private func statement(_ sql: StaticString) throws(StoreFailure) -> Statement {
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let statement = statements[key] { return statement }
        let statement = try unsafe Statement(sql, on: handle)
        statements[key] = statement
        return statement
    }
}
