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
