import Domain
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Storage

struct SchemaTests {
    /// The first schema as its release wrote it. Never edit this: files like it are out there.
    private static let version1: StaticString = """
        PRAGMA application_id = 1131308642;
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            name_folded TEXT NOT NULL UNIQUE,
            email TEXT,
            email_folded TEXT UNIQUE,
            first_name TEXT,
            last_name TEXT,
            password_hash TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            CHECK ((email IS NULL) = (email_folded IS NULL))
        ) STRICT;
        CREATE TABLE exchanges (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            network TEXT NOT NULL,
            place TEXT NOT NULL,
            channel TEXT,
            nick TEXT NOT NULL,
            question TEXT NOT NULL,
            answer TEXT,
            state TEXT NOT NULL DEFAULT 'pending'
                CHECK (state IN ('pending', 'answered', 'undelivered', 'failed', 'interrupted')),
            failure TEXT,
            model TEXT,
            is_cut INTEGER NOT NULL DEFAULT 0,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            asked_at INTEGER NOT NULL,
            ended_at INTEGER,
            is_told INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account_id, number),
            CHECK ((channel IS NULL) = (place = '')),
            CHECK (answer IS NOT NULL OR state NOT IN ('answered', 'undelivered'))
        ) STRICT;
        CREATE INDEX exchanges_in_conversation ON exchanges (account_id, network, place, number)
            WHERE state IN ('answered', 'undelivered');
        CREATE INDEX exchanges_unfinished ON exchanges (id) WHERE state = 'pending';
        CREATE INDEX exchanges_untold ON exchanges (account_id, number) WHERE state = 'interrupted' AND is_told = 0;
        PRAGMA user_version = 1;

        INSERT INTO accounts VALUES (7, 'Alice', 'alice', 'A@example.org', 'a@example.org', NULL, NULL, 'hash', 1);
        INSERT INTO exchanges (account_id, number, network, place, channel, nick, question, answer, state, asked_at)
        VALUES (7, 41, 'testnet', '#confab', '#Confab', 'alice', 'why?', 'because', 'answered', 2);
        """

    @Test func `what the first release stored is there after every migration since`() async throws {
        let scratch = try Scratch()
        try prepare(scratch, script: Self.version1)
        let store = try Store.open(directory: scratch.path, log: MemoryLog().log)
        let credentials = try #require(try await store.credentials(for: "ALICE"))
        #expect(credentials.passwordHash == "hash")
        let account = credentials.account
        let context = try await store.context(of: account.id, network: testnet, place: confab, limit: 5)
        #expect(context == [Prompt.Turn(question: "why?", answer: "because")])
        let next = try await store.stored(question("?", by: account.id))
        #expect(next.number == 42)
    }

    @Test func `an upgraded file has the same layout as a new one`() async throws {
        let upgraded = try Scratch()
        try prepare(upgraded, script: Self.version1)
        await (try Store.open(directory: upgraded.path, log: MemoryLog().log)).close()
        let fresh = try Sample()
        await fresh.store.close()
        #expect(try layout(upgraded.file("confab.sqlite")) == layout(fresh.file))
    }

    @Test func `every migration sets its own version`() throws {
        let scratch = try Scratch()
        try prepare(scratch, script: "")
        let connection = try Connection(path: scratch.file("confab.sqlite"), for: .writing)
        for (index, migration) in Schema.migrations.enumerated() {
            try connection.execute(script: migration)
            #expect(try connection.number("PRAGMA user_version") == Int64(index + 1))
        }
        #expect(try connection.number("PRAGMA application_id") == Schema.applicationID)
    }

    @Test func `a file of a later version is refused and left as it is`() throws {
        let scratch = try Scratch()
        try prepare(scratch, script: "PRAGMA application_id = 1131308642; PRAGMA user_version = 999;")
        let before = try contents(scratch)
        let failure = #expect(throws: StoreFailure.self) {
            try Store.open(directory: scratch.path, log: MemoryLog().log)
        }
        #expect(failure?.kind == .newer)
        #expect(try contents(scratch) == before)
    }

    @Test(
        arguments: [
            "CREATE TABLE t (a);", "PRAGMA application_id = 1;", "PRAGMA user_version = 1;",
        ] as [StaticString])
    func `a file of another program is refused and left as it is`(script: StaticString) throws {
        let scratch = try Scratch()
        try prepare(scratch, script: script)
        let before = try contents(scratch)
        let failure = #expect(throws: StoreFailure.self) {
            try Store.open(directory: scratch.path, log: MemoryLog().log)
        }
        #expect(failure?.detail.contains("another program") == true)
        #expect(try contents(scratch) == before)
    }

    @Test(arguments: [0, 8192])
    func `a damaged file is refused with a hint, and left as it is`(offset: Int) async throws {
        let sample = try Sample()
        let alice = try await sample.account("alice")
        let long = String(repeating: "?", count: 300)
        for _ in 0..<50 { _ = try await sample.store.stored(question(long, by: alice.id)) }
        await sample.store.close()
        let file = unsafe Glibc.open(sample.file, O_WRONLY)
        let garbage = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        _ = unsafe pwrite(file, garbage, garbage.count, offset)
        close(file)

        let before = try Data(contentsOf: URL(filePath: sample.file))
        let failure = #expect(throws: StoreFailure.self) {
            try Store.open(directory: sample.directory, log: MemoryLog().log)
        }
        #expect(failure?.kind == .damaged)
        #expect(failure?.hint.contains("backup") == true)
        #expect(try Data(contentsOf: URL(filePath: sample.file)) == before)
    }

    private func prepare(_ scratch: Scratch, script: StaticString) throws {
        close(unsafe creat(scratch.file("confab.sqlite"), 0o600))
        try Connection(path: scratch.file("confab.sqlite"), for: .writing).execute(script: script)
    }

    private func contents(_ scratch: Scratch) throws -> Data {
        try Data(contentsOf: URL(filePath: scratch.file("confab.sqlite")))
    }

    /// Tables, their columns, and indexes; not the spelling of their SQL.
    private func layout(_ file: String) throws -> [String] {
        try Connection(path: file, for: .reading).rows(
            """
            SELECT object.name, column.name, column.type, column."notnull", column.dflt_value
            FROM sqlite_schema AS object LEFT JOIN pragma_table_xinfo(object.name) AS column ORDER BY 1, 2
            """
        ) { (row) throws(StoreFailure) in
            (0..<5).map { row.optionalText($0) ?? "-" }.joined(separator: " ")
        }
    }
}
