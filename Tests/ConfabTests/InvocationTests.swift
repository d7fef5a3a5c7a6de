import Domain
import Testing

@testable import confab

@Suite struct InvocationTests {
    @Test func `each command is understood`() throws {
        #expect(try Invocation(arguments: ["run"]) == .run(file: nil))
        #expect(try Invocation(arguments: ["run", "--config", "a.toml"]) == .run(file: "a.toml"))
        #expect(try Invocation(arguments: ["run", "--config=a.toml"]) == .run(file: "a.toml"))
        #expect(
            try Invocation(arguments: ["check", "--connect", "--config", "b"])
                == .check(file: "b", isConnecting: true))
        #expect(try Invocation(arguments: ["status", "--config", "b"]) == .status(file: "b"))
        let alice = try #require(AccountName("alice"))
        #expect(
            try Invocation(arguments: ["account", "delete", "alice", "--yes", "--config", "b"])
                == .account(.delete(alice, isSure: true), file: "b"))
        #expect(try Invocation(arguments: ["--version"]) == .version)
        #expect(try Invocation(arguments: ["--help"]) == .help)
    }

    @Test(arguments: [
        [], ["serve"], ["run", "--connect"], ["run", "a.toml"], ["run", "--config"], ["help", "me"],
        ["check", "--connect=yes"], ["account"], ["account", "list", "alice"], ["account", "admin", "alice"],
        ["account", "show", "no name"], ["status", "test"],
    ])
    func `what is not understood is refused`(arguments: [String]) {
        #expect(throws: Invocation.UsageError.self) { try Invocation(arguments: arguments) }
    }
}
