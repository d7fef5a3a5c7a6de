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
        #expect(try Invocation(arguments: ["--version"]) == .version)
        #expect(try Invocation(arguments: ["--help"]) == .help)
    }

    @Test(arguments: [
        [], ["serve"], ["run", "--connect"], ["run", "a.toml"], ["run", "--config"], ["help", "me"],
        ["check", "--connect=yes"],
    ])
    func `what is not understood is refused`(arguments: [String]) {
        #expect(throws: Invocation.UsageError.self) { try Invocation(arguments: arguments) }
    }
}
