import Domain
import TestKit
import Testing

@testable import Dialogue
@testable import Storage

/// Rows that no version of the bot wrote, in every table: numbers at the ends of their range, and names that are one to
/// Swift and two to SQLite.
@Suite struct DamagedRowsTests {
    private static let rows: StaticString = """
        UPDATE accounts SET registered_at = 9223372036854775807, login_epoch = 9223372036854775807,
            last_login_at = -9223372036854775808, lines = -9223372036854775808 WHERE name = 'alice';
        INSERT INTO exchanges (account_id, number, network, place, channel, nick, question, answer, state,
            prompt_tokens, completion_tokens, asked_at, ended_at, said, retry_of, is_cut, is_told)
        VALUES
            (1, 9223372036854775807, 'testnet', '', NULL, 'alice', 'first?', 'one', 'answered',
                9223372036854775807, 9223372036854775807, 9223372036854775807, -1, 9223372036854775807, -1, 7, 7),
            (1, -9223372036854775808, 'testnet', '#confab', '#confab', 'alice', 'second?', 'two', 'undelivered',
                -9223372036854775808, -1, -9223372036854775808, 0, -9223372036854775808, 9223372036854775807, 0, 0),
            (1, 0, 'testnet', '', NULL, 'alice', 'third?', 'three', 'undelivered',
                9000000000000000000, 9000000000000000000, 1790000000000, 0, 4611686018427387904, 0, 0, 0),
            (1, -1, 'testnet', '', NULL, 'alice', 'fourth?', NULL, 'pending',
                9223372036854775807, -1, 1790000000001, 9223372036854775807, -5, NULL, 0, 9223372036854775807);
        INSERT INTO failed_logins VALUES (1, 'testnet', 'a.example', 9223372036854775807, 9223372036854775807),
            (1, 'testnet', 'b.example', 9223372036854775807, -9223372036854775808);
        INSERT INTO services_links VALUES ('testnet', 'caf\u{E9}', 1, 9223372036854775807),
            ('testnet', 'cafe\u{301}', 1, -9223372036854775808);
        INSERT INTO codes VALUES (1, 'reset', 'h', 'alice@example.org', 9223372036854775807),
            (1, 'verify', 'h', 'alice@example.org', -9223372036854775808);
        INSERT INTO ignores VALUES ('nobody!*@*', 9223372036854775807, '', -9223372036854775808),
            ('noone!*@*', -9223372036854775808, '', 9223372036854775807);
        INSERT INTO audit VALUES (9223372036854775807, -9223372036854775808, '', '', ''),
            (-9223372036854775808, 9223372036854775807, '', '', '');
        INSERT INTO conversations VALUES (1, 'testnet', '', 9223372036854775807),
            (1, 'testnet', '#confab', -9223372036854775808);
        INSERT INTO quiet_channels VALUES ('testnet', '#elsewhere'), ('', '');
        """

    @Test func `keep nobody from starting the bot, logging in, reading, asking and changing a password`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch)
            try await scene.registers(scene.arrives("alice"))
            await scene.ends()
        }
        let connection = try Connection(path: scratch.file("state/confab.sqlite"), for: .writing)
        try connection.execute(script: Self.rows)
        let scene = try await Scene(scratch: scratch) {
            $0.accountBudget = BudgetLimits(questionsPerMinute: 30, questionsPerDay: 100)
        }
        _ = try await scene.store.settleLeftovers()
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        for command in ["HISTORY 20", "MORE", "MORE", "MORE", "MORE", "MORE 9223372036854775807", "USAGE", "WHOAMI"] {
            scene.says(alice, command)
            scene.says(alice, "\(command) -9223372036854775808")
            _ = try await scene.unread()
        }
        scene.says(alice, "and now?")
        try await scene.sees("alice <bot> ")
        scene.says(alice, "NEW")
        try await scene.sees("-alice- A new conversation")
        scene.says(alice, "RETRY")
        try await scene.sees("alice <bot> ")
        scene.says(alice, "PASSWORD correct-horse battery-staple")
        try await scene.sees("-alice- alice has a new password")
        scene.says(alice, "still there?")
        try await scene.sees("alice <bot> ")
        #expect(!scene.link.transcript.contains { $0.contains("cannot keep records") })
        #expect(!scene.memory.lines.contains { $0.contains("store") && $0.contains("error") })
    }

    @Test func `a schema that cannot be is refused`() throws {
        let sample = try Scratch()
        let path = sample.file("state")
        _ = try Store.open(directory: path, log: MemoryLog().log)
        try Connection(path: path + "/confab.sqlite", for: .writing).execute(script: "PRAGMA user_version = -1")
        #expect { try Store.open(directory: path, log: MemoryLog().log) } throws: {
            ($0 as? StoreFailure)?.kind == .damaged
        }
    }
}
