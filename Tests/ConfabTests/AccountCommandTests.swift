import Domain
import FoundationEssentials
import Glibc
import Passwords
import Runtime
import Storage
import TestKit
import Testing

@testable import confab

/// `confab account` as an operator uses it: the built program on a real database.
@Suite(.timeLimit(.minutes(2)))
struct AccountCommandTests {
    private let scratch: Scratch
    private let store: Store
    private let alice: Account

    /// A store in use, as a bot that runs has it.
    init() async throws {
        scratch = try Scratch()
        try scratch.configure(networkLines: "server_password_file = \"credential:only-the-bot-has-it\"")
        store = try Store.open(directory: scratch.file("state"), log: MemoryLog().log)
        let new = NewAccount(
            name: try #require(AccountName("Alice")), email: EmailAddress("alice@example.org"), firstName: "Ada",
            passwordHash: try await PasswordHasher(strength: .cheap).hash(Secret("old-password")),
            registeredAt: Timestamp(milliseconds: 1_790_000_000_000))
        guard case .created(let account) = try await store.createAccount(new) else { throw Taken() }
        alice = account
    }

    private func run(_ command: String, input: String = "") async throws -> (status: Int32?, output: String) {
        let program = try Program(
            "/bin/sh",
            [
                "-c", "printf '%s' \"$1\" | \"$0\" account $2 --config \"$3\"", Places.confab, input, command,
                scratch.file("confab.toml"),
            ], logFile: scratch.file("out-\(UUID().uuidString)"))
        let status = await program.waitForEnd()
        return (status, program.output)
    }

    private func record() async throws -> AccountRecord {
        try #require(try await store.accountRecord(of: alice.name))
    }

    @Test func `accounts are listed and shown while the bot runs, without its secrets`() async throws {
        let list = try await run("list")
        #expect(list.status == 0)
        #expect(list.output.contains("ACCOUNT  REGISTERED"))
        #expect(list.output.contains("Alice    2026-09-21 14:13 UTC  never       0          alice@example.org"))
        let show = try await run("show alice")
        #expect(show.output.contains("name:        Ada") && show.output.contains("state:       in order"))
        #expect(!show.output.contains("argon2id"))
    }

    @Test func `disabling ends every login, enabling lets in again`() async throws {
        #expect(try await store.isGood(alice))
        let disabled = try await run("disable ALICE")
        #expect(disabled.status == 0 && disabled.output.contains("its logins are over"))
        #expect(try await !store.isGood(alice))
        #expect(try await record().isDisabled)
        #expect(try await run("list").output.contains("disabled"))
        #expect(try await run("enable alice").status == 0)
        let record = try await record()
        #expect(!record.isDisabled)
        // A login from before stays over.
        #expect(try await !store.isGood(alice))
        #expect(try await store.isGood(record.account))
    }

    @Test func `an administrator is made and unmade`() async throws {
        #expect(try await run("admin alice on").status == 0)
        #expect(try await record().isAdministrator)
        #expect(try await run("admin alice off").status == 0)
        #expect(try await !record().isAdministrator)
        #expect(try await run("admin alice maybe").status == 64)
    }

    @Test func `a password comes from standard input, and ends the logins`() async throws {
        let set = try await run("set-password alice", input: "new-password\n")
        #expect(set.status == 0 && !set.output.contains("new-password"))
        #expect(try await !store.isGood(alice))
        let hash = try #require(try await store.credentials(for: "alice")?.passwordHash)
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        let hasher = PasswordHasher(strength: .cheap)
        #expect(try await hasher.verify(Secret("new-password"), against: hash) == .matches(needsRehash: true))
        #expect(try await hasher.verify(Secret("old-password"), against: hash) == .differs)
        for bad in ["short\n", "", "two words\n"] {
            #expect(try await run("set-password alice", input: bad).status == 65)
        }
        #expect(try await store.credentials(for: "alice")?.passwordHash == hash)
    }

    @Test func `links to services accounts are shown, and another password ends them`() async throws {
        let link = try #require(ServicesLink(network: NetworkName("libera"), servicesAccount: "Ada_S"))
        try await store.link(link, to: alice.id, at: Timestamp(milliseconds: 0))
        #expect(try await run("show alice").output.contains("linked:      ada_s at services of libera"))
        let set = try await run("set-password alice", input: "new-password\n")
        #expect(set.output.contains("Its links to services accounts (1) are ended."))
        #expect(try await !run("show alice").output.contains("linked:"))
        let unseen = try await run("set-password alice", input: "zero\u{200B}width\n")
        #expect(unseen.status == 65 && unseen.output.contains("a character that cannot be seen"))
    }

    @Test func `deleting takes a confirmation, and all exchanges along`() async throws {
        let question = "a canary of alice"
        _ = try await store.begin(
            NewExchange(
                account: alice.id, loginEpoch: 0, network: NetworkName("test"), place: .direct, nick: "alice",
                question: question, askedAt: Timestamp(milliseconds: 0)))
        let refused = try await run("delete alice", input: "no\n")
        #expect(refused.status == 65 && refused.output.contains("nothing was deleted"))
        #expect(try await record().exchangeCount == 1)
        let deleted = try await run("delete alice", input: "Alice\n")
        #expect(deleted.status == 0 && deleted.output.contains("Alice and its 1 exchanges are deleted."))
        #expect(try await store.accountRecord(of: alice.name) == nil)
        #expect(try await store.history(of: alice.id, last: 10).isEmpty)
        await store.close()
        let bytes = try Data(contentsOf: URL(filePath: scratch.file("state/confab.sqlite")))
        #expect(bytes.firstRange(of: Data(question.utf8)) == nil)
    }

    @Test func `an unknown account and a missing database are said plainly`() async throws {
        let unknown = try await run("show bob")
        #expect(unknown.status == 67 && unknown.output.contains("there is no account bob"))
        #expect(try await run("show").status == 64)
        #expect(try await run("frobnicate alice").status == 64)
        await store.close()
        try FileManager.default.removeItem(atPath: scratch.file("state"))
        let missing = try await run("list")
        #expect(missing.status == 73 && missing.output.contains("there is no database"))
        #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
    }

    @Test func `what was done is on record`() async throws {
        _ = try await run("disable alice")
        _ = try await run("admin alice on")
        let rows = try Program(
            "/usr/bin/sqlite3",
            ["-readonly", scratch.file("state/confab.sqlite"), "SELECT actor, action, subject FROM audit ORDER BY id"],
            logFile: scratch.file("rows"))
        _ = await rows.waitForEnd()
        let user = "command line, user \(getuid())"
        #expect(rows.output == "\(user)|disabled|Alice\n\(user)|made administrator|Alice\n")
    }
}

private struct Taken: Error {}

extension PasswordHasher.Strength {
    fileprivate static let cheap = PasswordHasher.Strength(memory: 8192, passes: 1)
}
