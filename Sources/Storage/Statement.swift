import CSQLite

/// What is put in place of a `?` in SQL.
enum Value {
    case null
    case integer(Int64)
    case text(String)

    static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
    static func optional(_ number: Int?) -> Value { number.map { .integer(Int64($0)) } ?? .null }
}

/// A prepared statement: owns its `sqlite3_stmt`, and must be gone before its connection is closed.
@safe final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepared to be kept: <https://sqlite.org/c3ref/c_prepare_dont_log.html>, `SQLITE_PREPARE_PERSISTENT`.
    init(_ sql: StaticString, on connection: OpaquePointer) throws(StoreFailure) {
        var prepared: OpaquePointer?
        let text = unsafe UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
        let code = unsafe sqlite3_prepare_v3(
            connection, text, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else {
            throw unsafe StoreFailure(of: connection)
        }
        unsafe handle = statement
        unsafe self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Runs to the end and hands out every row; leaves nothing bound and no lock held.
    func run<T>(
        _ values: [Value], _ row: (Row) throws(StoreFailure) -> T
    ) throws(StoreFailure) -> [T] {
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        var rows: [T] = []
        while try step() { rows.append(try row(unsafe Row(handle))) }
        return rows
    }

    /// True for a row, false at the end.
    private func step() throws(StoreFailure) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw unsafe StoreFailure(of: connection)
        }
    }

    private func bind(_ value: Value, at index: Int32) throws(StoreFailure) {
        let code =
            switch value {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .text(let text): bind(text, at: index)
            }
        guard code == SQLITE_OK else { throw unsafe StoreFailure(of: connection) }
    }

    /// By length, so that a NUL is a character like any other.
    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            let bytes = unsafe UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            return unsafe sqlite3_bind_text64(
                handle, index, bytes, UInt64(utf8.count), Self.transient, UInt8(SQLITE_UTF8))
        }
    }

    /// `SQLITE_TRANSIENT`, a macro cast that Swift cannot import: SQLite makes its own copy before the call returns.
    private static var transient: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}

/// The row a statement stands on; its columns are counted from 0.
@safe struct Row {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let bytes = unsafe sqlite3_column_text(handle, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension StoreFailure {
    /// What the latest call on this connection failed with.
    init(of connection: OpaquePointer) {
        self.init(
            code: unsafe sqlite3_extended_errcode(connection), systemError: unsafe sqlite3_system_errno(connection),
            message: unsafe String(cString: sqlite3_errmsg(connection)))
    }
}
