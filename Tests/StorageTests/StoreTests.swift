import Domain
import Glibc
import TestKit
import Testing

@testable import Storage

struct StoreTests {
    @Test func `what was stored is there after closing and opening again`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let id = try await sample.store.stored(question("?", by: alice.id)).id
        _ = try await sample.store.answer(id, with: completion("!"), model: "m", at: later)
        await sample.store.close()
        let again = try Store.open(directory: sample.directory, log: sample.log.log)
        #expect(try await again.history(of: alice.id, last: 1).map(\.answer) == ["!"])
        await again.close()
    }

    @Test func `closing puts the log away and leaves one file to copy`() async throws {
        let sample = try Sample()
        _ = try await sample.account("alice")
        await sample.store.close()
        #expect(unsafe access(sample.file, F_OK) == 0)
        for end in ["-wal", "-shm"] { #expect(unsafe access(sample.file + end, F_OK) != 0, "\(end)") }
    }

    @Test func `a closed store says so`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        await sample.store.close()
        await sample.store.close()
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.stored(question("?", by: alice.id))
        }
        #expect(failure?.detail == "the store is closed")
    }

    @Test func `every commit waits for the disk`() async throws {
        let sample = try Sample()
        let modes = try await sample.store.write { (connection) throws(StoreFailure) in
            (try connection.number("PRAGMA synchronous"), try connection.number("PRAGMA foreign_keys"))
        }
        #expect(modes == (2, 1))
    }

    @Test func `a full disk refuses writes, still reads, and takes writes again when there is room`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let long = String(repeating: "?", count: 5000)
        _ = try await sample.store.stored(question("before", by: alice.id))
        try await sample.store.write { (connection) throws(StoreFailure) in
            try connection.run("PRAGMA max_page_count = 1")
        }
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.stored(question(long, by: alice.id))
        }
        #expect(failure?.kind == .full)
        #expect(failure?.hint.contains("room") == true)
        #expect(try await sample.store.history(of: alice.id, last: 9).map(\.question) == ["before"])

        try await sample.store.write { (connection) throws(StoreFailure) in
            try connection.run("PRAGMA max_page_count = 1000000")
        }
        let number = try await sample.store.stored(question(long, by: alice.id)).number
        #expect(number == 2)
    }

    @Test func `a database that takes no writes says so`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        try await sample.store.write { (connection) throws(StoreFailure) in
            try connection.run("PRAGMA query_only = ON")
        }
        let failure = await #expect(throws: StoreFailure.self) {
            try await sample.store.stored(question("?", by: alice.id))
        }
        #expect(failure?.kind == .readOnly)
    }
}
