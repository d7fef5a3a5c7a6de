import CSQLite
public import Domain
import Glibc
public import Runtime

/// Why the store did not do what it was asked.
///
/// Carries SQLite's own words, which name tables and columns but never a bound value, so that it may be logged whole.
public struct StoreFailure: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// No room on the disk; the same store works again once there is some.
        case full
        /// Another process held the database for longer than the store waits.
        case busy
        /// The file is no database, or its contents contradict themselves.
        case damaged
        /// The file or its file system takes no writes.
        case readOnly
        /// Written by a later Confab.
        case newer
        /// Another bot runs on the same directory.
        case inUse
        /// Others may read the directory or its files, or the bot may not.
        case permissions
        /// The database, or its directory, was deleted or replaced while it was in use.
        case gone
        /// Anything else; the detail says what.
        case other
    }

    public let kind: Kind
    /// What happened, in one line for the log.
    public let detail: String
    /// What the operator can do about it; one sentence, ready to be printed.
    public let hint: String

    init(_ kind: Kind, _ detail: String, hint: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.hint = hint ?? kind.hint
    }

    /// By SQLite's extended result code and the system's error behind it (<https://sqlite.org/rescode.html>).
    init(code: Int32, systemError: Int32, message: String) {
        self.init(Self.kind(code, systemError), "\(message) (SQLite \(code))")
    }

    /// A failed system call on a path.
    init(systemError: Int32, at path: String) {
        let reason = unsafe String(cString: strerror(systemError))
        self.init(Self.kind(systemError) ?? .other, "\(path): \(reason)")
    }

    private static func kind(_ code: Int32, _ systemError: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_READONLY: .readOnly
        case SQLITE_PERM: .permissions
        // The file of the WAL index, for one, reports a full disk as an input/output error.
        case SQLITE_IOERR, SQLITE_CANTOPEN: kind(systemError) ?? .other
        default: .other
        }
    }

    private static func kind(_ systemError: Int32) -> Kind? {
        switch systemError {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        case EACCES, EPERM: .permissions
        default: nil
        }
    }
}

extension StoreFailure.Kind {
    fileprivate var hint: String {
        switch self {
        case .full: "Make room on the disk of the state directory; the bot goes on by itself."
        case .busy: "Another program holds the database open for writing; let it finish or end it."
        case .damaged: "Stop the bot, keep a copy of the state directory, and restore confab.sqlite from a backup."
        case .readOnly: "Mount the file system of the state directory for writing, and make its files writable."
        case .newer: "Run the version of Confab that wrote this database, or a later one."
        case .inUse: "End the other bot first, or give this one a state_directory of its own."
        case .permissions: "Give the state directory and its files to the user that runs the bot, and to nobody else."
        case .gone: "Stop the bot, put the state directory back, and start the bot again."
        case .other: "See the detail; the state directory and its disk are the places to look."
        }
    }
}

extension Log {
    /// Notes that the store failed at a step for an account.
    public func storeFailed(_ failure: StoreFailure, during step: StaticString, of account: AccountName? = nil) {
        error(
            "The store failed",
            [
                "step": "\(step)", "account": account?.spelling ?? "-", "kind": failure.kind.rawValue,
                "detail": failure.detail, "hint": failure.hint,
            ])
    }
}
