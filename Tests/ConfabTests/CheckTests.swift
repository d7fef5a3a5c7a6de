import Glibc
import TestKit
import Testing

/// `confab check` from the outside: what it says about a configuration and about what it reaches.
@Suite(.timeLimit(.minutes(2)))
struct CheckTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func check(port: Int, api: String, connect: Bool = true) async throws -> (status: Int32?, output: String) {
        try scratch.configure(["test": port], api: api)
        return try await scratch.run(["check"] + (connect ? ["--connect"] : []))
    }

    /// An ircd up to the welcome.
    private func welcome(_ server: ScriptedIRCServer) async throws {
        let connection = try await server.connection()
        _ = try await connection.expect("USER") { $0.command == "USER" }
        connection.send(":irc.test 001 confab :Welcome")
        connection.send(":irc.test 005 confab NETWORK=TestNet :are supported by this server")
        connection.send(":irc.test 422 confab :No MOTD")
        _ = try await connection.expect("QUIT") { $0.command == "QUIT" }
        #expect(!connection.lines.contains { $0.command == "JOIN" })
        connection.close()
    }

    @Test func `what works is told, network by network, and nothing is joined or kept`() async throws {
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI { _ in .text("yes") }
        async let welcomed: Void = welcome(server)
        let result = try await check(port: server.port, api: api.baseURL)
        try await welcomed
        #expect(result.status == 0)
        #expect(result.output.contains("confab.toml: in order, 1 network, 1 channel, model scripted"))
        #expect(result.output.contains("test: registered as confab"))
        #expect(result.output.contains("api: scripted answers in"))
        #expect(unsafe access(scratch.file("state"), F_OK) != 0)
    }

    @Test func `what does not answer is told with the place to look`() async throws {
        let result = try await check(port: 1, api: "http://127.0.0.1:1")
        #expect(result.status == 69)
        #expect(result.output.contains("test: does not work: refused"))
        #expect(result.output.contains("api: does not work: no connection. Is the API running"))
    }

    @Test func `a wrong key and a wrong path are told apart`() async throws {
        let api = try ScriptedAPI { _ in .status(401, body: #"{"error":{"message":"no"}}"#) }
        let refused = try await check(port: 1, api: api.baseURL)
        #expect(refused.output.contains("Look at key_file"))
        api.answer { _ in .status(404, body: #"{"error":{"message":"no"}}"#) }
        let unknown = try await check(port: 1, api: api.baseURL)
        #expect(unknown.output.contains("no such path or model"))
    }

    @Test func `without --connect nothing is connected to`() async throws {
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI()
        let result = try await check(port: server.port, api: api.baseURL, connect: false)
        #expect(result.status == 0)
        #expect(server.connectionCount == 0 && api.requests.isEmpty)
    }
}
