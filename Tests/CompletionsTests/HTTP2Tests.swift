import Completions
import Domain
import TestKit
import Testing

/// The client behind a real HTTP/2 server with TLS, as paid APIs have one.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HTTP2Tests {
    @Test func `questions at once share a connection, and each gets its own answer`() async throws {
        let stage = try await Stage()
        for _ in 0..<3 { #expect(await stage.ask(50) == 50) }
        // nginx writes of a request when it is over for nginx too.
        #expect(await eventually { stage.server.requests.count == 150 })
        let requests = stage.server.requests
        #expect(requests.allSatisfy { $0.protocol == "HTTP/2.0" })
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test func `more questions at once than a connection carries are all answered`() async throws {
        let stage = try await Stage()
        #expect(await stage.ask(400) == 400)
    }

    @Test func `a connection that the server ends after so many requests loses no question`() async throws {
        let stage = try await Stage(requestsPerConnection: 20)
        for _ in 0..<3 { #expect(await stage.ask(100) == 100) }
    }

    @Test func `the next question after a restart of the server is answered`() async throws {
        let stage = try await Stage()
        #expect(await stage.ask(1) == 1)
        await stage.server.stop()
        let again = try await stage.restarted()
        #expect(await again.ask(1) == 1)
    }
}

private struct Stage {
    let scratch: Scratch
    let certificates: Certificates
    let api: ScriptedAPI
    let server: Nginx
    private let client: CompletionClient

    init(requestsPerConnection: Int = 100_000) async throws {
        scratch = try Scratch()
        certificates = try await Certificates(in: scratch.path)
        api = try ScriptedAPI(latency: .milliseconds(300)) { .text("answer to \($0.question)") }
        server = try await Nginx(
            in: scratch, certificates: certificates, before: api.port, requestsPerConnection: requestsPerConnection)
        let settings = CompletionSettings(baseURL: server.baseURL, caFile: certificates.authority)
        client = CompletionClient(settings: settings, log: MemoryLog().log)
    }

    private init(_ stage: Stage, _ server: Nginx) {
        (scratch, certificates, api, client) = (stage.scratch, stage.certificates, stage.api, stage.client)
        self.server = server
    }

    /// The same with a new server on the same port.
    func restarted() async throws -> Stage {
        Stage(self, try await Nginx(in: scratch, certificates: certificates, before: api.port, port: server.port))
    }

    /// How many of so many questions at once get the answer that is theirs.
    func ask(_ count: Int) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    let outcome = await client.ask(Prompt(system: "", history: [], question: "question \(number)"))
                    #expect(outcome.failure == nil)
                    return outcome.text == "answer to question \(number)"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
