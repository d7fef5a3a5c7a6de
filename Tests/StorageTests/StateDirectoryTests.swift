import Domain
import Glibc
import Runtime
import TestKit
import Testing

@testable import Storage

struct StateDirectoryTests {
    @Test func `directory and files are made for the bot's user alone`() async throws {
        let sample = try Sample()
        _ = try await sample.account("alice")
        #expect(mode(sample.directory) == 0o700)
        for name in ["confab.sqlite", "confab.sqlite-wal", "confab.sqlite-shm", "confab.lock"] {
            #expect(mode(sample.directory + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test(arguments: [0o755, 0o701, 0o770] as [mode_t])
    func `a directory that others may enter is refused, and the cure named`(mode: mode_t) throws {
        let scratch = try Scratch()
        let path = scratch.file("state")
        unsafe mkdir(path, mode)
        unsafe chmod(path, mode)
        let failure = #expect(throws: StoreFailure.self) { try open(path) }
        #expect(failure?.kind == .permissions)
        #expect(failure?.hint == "Run: chmod 700 \(path)")
        unsafe chmod(path, 0o700)
        _ = try open(path)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: ["", "/confab.sqlite", "/confab.lock"])
    func `what belongs to another user is refused, also to root`(name: String) async throws {
        let sample = try Sample()
        await sample.store.close()
        unsafe chown(sample.directory + name, 4711, 4711)
        let failure = #expect(throws: StoreFailure.self) { try open(sample.directory) }
        #expect(failure?.kind == .permissions && failure?.detail.contains("another user (4711") == true)
        guard name != "/confab.lock" else { return }
        #expect(throws: StoreFailure.self) { try Store.visit(directory: sample.directory, log: MemoryLog().log) }
    }

    @Test(arguments: [false, true])
    func `a database that is deleted or replaced while it is open takes nothing more`(isReplaced: Bool) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        try await sample.store.check()
        unsafe unlink(sample.file)
        if isReplaced { close(unsafe creat(sample.file, 0o600)) }
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.stored(question("?", by: alice.id))
        }
        #expect(failure?.kind == .gone)
        let found = await #expect(throws: StoreFailure.self) { try await sample.store.check() }
        #expect(found?.detail.contains(isReplaced ? "another file" : "is gone") == true)
        // What was there can still be read.
        #expect(try await sample.store.credentials(for: "alice") != nil)
    }

    @Test func `what is written while the database goes is not told to be stored`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice").id
        let file = sample.file
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.write { (connection) throws(StoreFailure) in
                try connection.run("UPDATE accounts SET first_name = 'x' WHERE id = ?", [.integer(alice.value)])
                unsafe unlink(file)
            }
        }
        #expect(failure?.kind == .gone)
    }

    /// A descriptor would be a temporary file.
    @Test func `deleting much needs no temporary directory, and leaves nothing in file and log`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("state")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try Store.open(directory: path, log: MemoryLog().log)
            guard case .created(let alice) = try await store.createAccount(newAccount("alice")) else { _exit(2) }
            try await store.write { (connection) throws(StoreFailure) in
                try connection.run(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                    INSERT INTO exchanges (account_id, number, network, place, nick, question, asked_at)
                    SELECT ?, i, 'testnet', '', 'alice', 'canary ' || i || hex(zeroblob(100)), 1 FROM n
                    """, [.integer(alice.id.value)])
            }
            let used = unsafe Glibc.open("/dev/null", O_RDONLY)
            var limit = rlimit(rlim_cur: rlim_t(used), rlim_max: rlim_t(used))
            close(used)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard try await store.delete(alice.id) == 6000 else { _exit(3) }
            _exit(0)
        }
        let bytes = try scratch.bytes(in: "state")
        #expect(bytes.firstRange(of: Array("canary".utf8)) == nil)
    }

    @Test func `a database that others may read is refused, and the cure named`() async throws {
        let sample = try Sample()
        await sample.store.close()
        unsafe chmod(sample.file, 0o640)
        let failure = #expect(throws: StoreFailure.self) { try open(sample.directory) }
        #expect(failure?.kind == .permissions)
        #expect(failure?.hint == "Run: chmod 600 \(sample.file)")
    }

    @Test func `a second bot on the same directory is refused and told who holds it`() async throws {
        let sample = try Sample()
        let failure = #expect(throws: StoreFailure.self) { try open(sample.directory) }
        #expect(failure?.kind == .inUse)
        #expect(failure?.detail.contains("process \(getpid())") == true)
        await sample.store.close()
        let second = try open(sample.directory)
        await second.close()
    }

    @Test func `a store that is let go without closing leaves the directory free`() async throws {
        let scratch = try Scratch()
        func leave() throws { _ = try open(scratch.file("state")) }
        try leave()
        #expect(await eventually { (try? open(scratch.file("state"))) != nil })
    }

    @Test func `a file in the directory's place is refused`() throws {
        let scratch = try Scratch()
        close(unsafe creat(scratch.file("state"), 0o600))
        #expect(throws: StoreFailure.self) { try open(scratch.file("state")) }
    }

    @Test func `a missing parent is named`() throws {
        let scratch = try Scratch()
        let failure = #expect(throws: StoreFailure.self) { try open(scratch.file("a/state")) }
        #expect(failure?.detail == "\(scratch.file("a/state")): No such file or directory")
    }

    @Test func `a link in the database's place is not followed`() throws {
        let scratch = try Scratch()
        let path = scratch.file("state")
        unsafe mkdir(path, 0o700)
        unsafe symlink(scratch.file("elsewhere"), path + "/confab.sqlite")
        #expect(throws: StoreFailure.self) { try open(path) }
        #expect(mode(scratch.file("elsewhere")) == nil)
    }

    private func open(_ path: String) throws(StoreFailure) -> Store {
        try Store.open(directory: path, log: MemoryLog().log)
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }
}
