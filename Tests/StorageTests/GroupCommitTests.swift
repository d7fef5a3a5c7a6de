import Domain
import Glibc
import Runtime
import TestKit
import Testing

@testable import Storage

struct GroupCommitTests {
    @Test func `a thousand questions at once are all stored, each with a number of its own`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<1000 {
                group.addTask { try await sample.store.stored(question("\(index)", by: alice.id)).number }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(numbers.sorted() == Array(1...1000))
        let stored = try await sample.store.history(of: alice.id, last: 2000)
        #expect(Set(stored.map(\.question)) == Set((0..<1000).map(String.init)))
    }

    @Test func `what has returned is on the disk, whatever ends the process`() async throws {
        let scratch = try Scratch()
        let path = scratch.file("state")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try Store.open(directory: path, log: MemoryLog().log)
            guard case .created(let alice) = try await store.createAccount(newAccount("alice")) else { return }
            _ = try await store.stored(question("asked", by: alice.id))
            let id = try await store.stored(question("answered", by: alice.id)).id
            _ = try await store.answer(id, with: completion("yes"), model: "m", at: later)
            kill(getpid(), SIGKILL)
        }
        let store = try Store.open(directory: path, log: MemoryLog().log)
        let alice = try #require(try await store.credentials(for: "alice")).account
        #expect(try await store.settleLeftovers().unfinished == 1)
        let states = try await store.history(of: alice.id, last: 5).map(\.state)
        #expect(states == [.interrupted, .answered])
    }

    @Test func `others see a write only once its batch is committed`() async throws {
        let bench = try Bench()
        try bench.insert("one")
        try bench.insert("two")
        #expect(try bench.committed() == [])
        bench.group.finish()
        #expect(try bench.committed() == ["one", "two"])
    }

    @Test func `a writer that fails takes back its own work and nobody else's`() throws {
        let bench = try Bench()
        try bench.insert("one")
        #expect(throws: StoreFailure.self) {
            try bench.group.perform { (connection) throws(StoreFailure) in
                try connection.run("INSERT INTO words VALUES (?)", [.text("half")])
                try connection.run("INSERT INTO words VALUES (?)", [.text("one")])
            }
        }
        try bench.insert("two")
        bench.group.finish()
        #expect(try bench.committed() == ["one", "two"])
    }

    @Test func `when the commit fails a writer that did well hears of it, and the next batch works`() async throws {
        let bench = try Bench()
        try bench.connection.run("CREATE TABLE pairs (word TEXT NOT NULL REFERENCES words (word)) STRICT")
        let group = bench.group
        try bench.insert("one")
        try group.perform { (connection) throws(StoreFailure) in
            // A foreign key that is looked at no sooner than in the COMMIT, which then refuses the batch.
            try connection.run("PRAGMA defer_foreign_keys = ON")
            try connection.run("INSERT INTO pairs VALUES ('none')")
        }
        let outcome = await withCheckedContinuation { writer in
            group.wait { writer.resume(returning: $0) }
            group.finish()
        }
        #expect(throws: StoreFailure.self) { try outcome.get() }
        #expect(try bench.committed() == [])

        try bench.insert("two")
        let next = await withCheckedContinuation { writer in
            group.wait { writer.resume(returning: $0) }
            group.finish()
        }
        #expect(throws: Never.self) { try next.get() }
        #expect(try bench.committed() == ["two"])
    }

    @Test func `a database that another program writes to fails the whole batch after one wait`() throws {
        let bench = try Bench()
        try bench.connection.run("PRAGMA busy_timeout = 0")
        let other = try Connection(path: bench.file, for: .writing)
        try other.run("BEGIN IMMEDIATE")
        let failure = #expect(throws: StoreFailure.self) { try bench.insert("one") }
        #expect(failure?.kind == .busy)
        try other.run("COMMIT")
        // Free again, but the batch is lost already: its writers must not wait one after another.
        #expect(throws: StoreFailure.self) { try bench.insert("two") }
        bench.group.finish()
        try bench.insert("three")
        bench.group.finish()
        #expect(try bench.committed() == ["three"])
    }

    @Test(arguments: ["the log is put away", "another deletion", "the end"])
    func `a file that could not be written anew after a deletion is, at the next occasion`(occasion: String) throws {
        let bench = try Bench()
        for number in 1...100 { try bench.insert("\(number) " + String(repeating: "x", count: 100_000)) }
        bench.group.finish()
        try bench.connection.run("DELETE FROM words")
        bench.group.finish()
        try bench.connection.run("PRAGMA busy_timeout = 0")
        let other = try Connection(path: bench.file, for: .writing)
        try other.run("BEGIN IMMEDIATE")
        bench.group.forgetDeleted()
        try other.run("COMMIT")
        #expect(bench.log.lines.count { $0.contains("could not be written anew") } == 1)
        #expect(!bench.log.lines.contains { $0.contains("checkpoint failed") })
        // Not at once: that would be done again and again on a disk that is full.
        try bench.insert("soon")
        bench.group.finish()
        #expect(try bench.freePages > 0)
        switch occasion {
        case "another deletion": bench.group.forgetDeleted()
        case "the end": bench.group.close()
        default:
            for number in 1...60 { try bench.insert("\(number) " + String(repeating: "y", count: 100_000)) }
            bench.group.finish()
        }
        #expect(try bench.freePages == 0)
        #expect(bench.log.lines.count == 1)
    }

    @Test func `the log is put away as it grows, and its file stays of one size`() async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let long = String(repeating: "words ", count: 10_000)
        for _ in 0..<200 { _ = try await sample.store.stored(question(long, by: alice.id)) }
        #expect(size(sample.file) > 8 << 20)
        #expect(size(sample.file + "-wal") < 6 << 20)
    }

    private func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : -1
    }
}

/// A group commit on a table of one column, without a store around it.
private struct Bench {
    let scratch: Scratch
    let connection: Connection
    let group: GroupCommit
    let log = MemoryLog()

    var freePages: Int64 { get throws { try connection.number("PRAGMA freelist_count") } }

    var file: String { scratch.file("words.sqlite") }

    init() throws {
        scratch = try Scratch()
        close(unsafe creat(scratch.file("words.sqlite"), 0o600))
        connection = try Connection(path: scratch.file("words.sqlite"), for: .writing)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("CREATE TABLE words (word TEXT UNIQUE) STRICT")
        group = GroupCommit(connection, log: log.log)
    }

    func insert(_ word: String) throws(StoreFailure) {
        try group.perform { (connection) throws(StoreFailure) in
            try connection.run("INSERT INTO words VALUES (?)", [.text(word)])
        }
    }

    func committed() throws -> [String] {
        try Connection(path: file, for: .reading).rows("SELECT word FROM words ORDER BY rowid") {
            (row) throws(StoreFailure) in row.text(0)
        }
    }
}
