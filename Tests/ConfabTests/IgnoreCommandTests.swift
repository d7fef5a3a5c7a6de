import Domain
import Runtime
import Storage
import TestKit
import Testing

@testable import confab

/// `confab ignore` as an operator uses it: the built program on the database of a bot that runs.
@Suite(.timeLimit(.minutes(1)))
struct IgnoreCommandTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        try scratch.configure()
        store = try Store.open(directory: scratch.file("state"), log: MemoryLog().log)
    }

    private func run(_ words: String...) async throws -> (status: Int32?, output: String) {
        try await scratch.run(["ignore"] + words)
    }

    @Test func `entries are added, with an end or without, listed and taken out, and that is on record`() async throws {
        #expect(try await run("list").output == "")
        #expect(try await run("add", "Mallory").output == "The bot does not listen to Mallory any more.\n")
        let added = try await run("add", "*!*@*.Example.org", "--for", "7d")
        #expect(added.status == 0)
        #expect(added.output.hasPrefix("The bot does not listen to *!*@*.Example.org until 20"))
        let entries = try await store.ignores(at: Time.system.wall())
        #expect(entries.map(\.pattern) == ["*!*@*.example.org", "mallory"])
        let week = (entries[0].expiresAt?.milliseconds ?? 0) - Time.system.wall().milliseconds
        #expect((6 * 86_400_000...7 * 86_400_000).contains(week))
        let list = try await run("list").output.split(separator: "\n")
        #expect(list.count == 2 && list[0].hasPrefix("*!*@*.example.org  until 20"))
        #expect(list.last == "mallory  for good")
        #expect(try await run("remove", "MALLORY").status == 0)
        #expect(try await run("remove", "mallory").status == ExitStatus.noSuchAccount.rawValue)
        let records = try await store.auditRecords(last: 5)
        #expect(records.map(\.action) == ["IGNORE", "IGNORE", "UNIGNORE"])
        #expect(records.allSatisfy { $0.actor.hasPrefix("command line, user ") })
    }

    @Test(arguments: ["add *", "add *!*@*", "add alice --for soon", "add", "list --for 7d", "drop alice"])
    func `what would silence everybody, or is not understood, changes nothing`(words: String) async throws {
        let ending = try await scratch.run(["ignore"] + words.split(separator: " ").map(String.init))
        #expect(ending.status == ExitStatus.usage.rawValue)
        #expect(try await store.ignores(at: Timestamp(milliseconds: 0)) == [])
    }
}
