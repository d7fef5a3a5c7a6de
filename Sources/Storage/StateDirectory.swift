import Glibc
import Runtime

/// The directory that holds the database: the bot's alone, and one bot's at a time.
///
/// The lock is a `flock` on a file beside the database. It dies with the process, however that ends, and leaves the
/// database itself free for `sqlite3` and for subcommands that work while the bot runs.
@safe final class StateDirectory {
    let database: String
    /// Nil for a visitor.
    private let lock: Int32?
    /// The file that was opened, wherever it is now.
    private let identity: Identity

    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// Makes what is missing, refuses what others could read, and takes the lock.
    init(_ path: String) throws(StoreFailure) {
        database = path + "/confab.sqlite"
        try Self.makeDirectory(path)
        let lockFile = path + "/confab.lock"
        let lock = try Self.open(lockFile)
        self.lock = lock
        do {
            try Self.take(lock, at: lockFile)
            // SQLite gives its -wal and -shm files the mode of the database.
            close(try Self.open(database))
            identity = Identity(try Self.status(of: database))
        } catch {
            close(lock)
            throw error
        }
    }

    /// For a visitor, while a bot may be running: makes nothing and takes no lock.
    init(visiting path: String) throws(StoreFailure) {
        database = path + "/confab.sqlite"
        lock = nil
        guard unsafe access(database, F_OK) == 0 else {
            guard errno == ENOENT else { throw StoreFailure(systemError: errno, at: database) }
            throw StoreFailure(
                .other, "\(database): there is no database",
                hint: "Name the configuration the bot runs with, or start the bot once.")
        }
        try Self.refuseOthers(try Self.status(of: path), path: path, cure: "chmod 700 \(path)")
        let status = try Self.status(of: database)
        try Self.refuseOthers(status, path: database, cure: "chmod 600 \(database)")
        identity = Identity(status)
    }

    /// Refuses to go on where the database is not the file any more that was opened: what is written to a file that nobody
    /// finds again is lost with the process. One look-up, some microseconds.
    func check() throws(StoreFailure) {
        var status = stat()
        let isThere = unsafe stat(database, &status) == 0
        guard !isThere || Identity(status) != identity else { return }
        throw StoreFailure(.gone, "\(database): \(isThere ? "another file is there now" : "the file is gone")")
    }

    deinit { if let lock { close(lock) } }

    private static func makeDirectory(_ path: String) throws(StoreFailure) {
        if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST { throw StoreFailure(systemError: errno, at: path) }
        let status = try status(of: path)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreFailure(.other, "\(path): not a directory", hint: "Set state_directory to a directory.")
        }
        try refuseOthers(status, path: path, cure: "chmod 700 \(path)")
    }

    private static func status(of path: String) throws(StoreFailure) -> stat {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw StoreFailure(systemError: errno, at: path) }
        return status
    }

    /// Opens a file of the directory, making it where it is missing.
    private static func open(_ path: String) throws(StoreFailure) -> Int32 {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StoreFailure(systemError: errno, at: path) }
        do throws(StoreFailure) {
            var status = stat()
            guard unsafe fstat(file, &status) == 0 else { throw StoreFailure(systemError: errno, at: path) }
            try refuseOthers(status, path: path, cure: "chmod 600 \(path)")
        } catch {
            close(file)
            throw error
        }
        return file
    }

    private static func refuseOthers(_ status: stat, path: String, cure: String) throws(StoreFailure) {
        // Also of root, who may use all files: they would make files there that the owner cannot use.
        guard status.st_uid == geteuid() else {
            throw StoreFailure(
                .permissions, "\(path): it belongs to another user (\(status.st_uid), not \(geteuid()))",
                hint:
                    "Run it as that user: setpriv --reuid \(status.st_uid) --regid \(status.st_gid) --clear-groups confab …"
            )
        }
        guard status.st_mode & 0o077 != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw StoreFailure(.permissions, "\(path): others may use it (mode \(mode))", hint: "Run: \(cure)")
    }

    /// Leaves the process id in the file, for whoever wonders who holds it.
    private static func take(_ lock: Int32, at path: String) throws(StoreFailure) {
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw StoreFailure(systemError: errno, at: path) }
            throw StoreFailure(.inUse, "\(path): held by another bot (\(holder(lock)))")
        }
        ftruncate(lock, 0)
        writeAll(Array("\(getpid())\n".utf8), to: lock)
    }

    private static func holder(_ lock: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(lock, $0.baseAddress, $0.count, 0) }
        let digits = bytes.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? "process unknown" : "process \(String(decoding: digits, as: UTF8.self))"
    }
}
