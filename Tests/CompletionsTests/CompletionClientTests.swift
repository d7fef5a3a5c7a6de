import Completions
import Domain
import Glibc
import Runtime
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2)))
struct CompletionClientTests {
    @Test func `the request holds what every server takes, and nothing else`() async throws {
        let server = try Script([Self.answer("ok")])
        let prompt = Prompt(
            system: "S", history: [.init(question: "q1", answer: "a1")], question: "q2 ü", model: "other")
        _ = await server.raw.client {
            $0.model = "m"
            $0.maxTokens = 7
            $0.temperature = 0.3
            $0.stop = ["X"]
        }.ask(prompt)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
        #expect(request.contains("\r\nAuthorization: Bearer canary-key\r\n"))
        #expect(request.contains("\r\nContent-Type: application/json\r\n"))
        #expect(
            Self.body(of: request) == #"{"model":"other","messages":[{"role":"system","content":"S"},"#
                + #"{"role":"user","content":"q1"},{"role":"assistant","content":"a1"},{"role":"user","content":"q2 ü"}],"#
                + #""max_tokens":7,"temperature":0.3,"stop":["X"],"stream":true}"#)
    }

    @Test func `the plain kind sends one text, and cuts what the model invents`() async throws {
        let invented = Self.json(#"{"choices":[{"text":" Four.\nUser: and 3+3?","finish_reason":"length"}]}"#)
        let server = try Script([invented])
        let outcome = await server.raw.client {
            $0.kind = .completions
            $0.stream = false
        }.ask(Prompt(system: "S", history: [], question: "2+2?"))
        #expect(outcome.completion == Completion(text: "Four.", isCut: false))
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/completions HTTP/1.1\r\n"))
        #expect(
            Self.body(of: request)
                == #"{"prompt":"S\n\nUser: 2+2?\nAssistant:","max_tokens":800,"stop":["\nUser:"]}"#)
    }

    @Test(arguments: [502, 503, 504, 529])
    func `an overloaded server is asked once more, after a pause`(status: Int) async throws {
        let waits = Waits()
        let server = try Script([Self.status(status), Self.answer("ok")])
        let outcome = await server.raw.client(waits: waits).ask()
        #expect(outcome.completion?.text == "ok")
        #expect(waits.all.count == 1)
        #expect(waits.all.allSatisfy { (.milliseconds(700)...(.milliseconds(1300))).contains($0) })
        let hopeless = try Script([Self.status(status), Self.status(status), Self.answer("too late")])
        #expect(await hopeless.raw.client().ask().failure?.kind == .unavailable)
        #expect(hopeless.requests.count == 2)
    }

    @Test(arguments: [(nil, CompletionFailure.Kind.empty), (8000, .tooLong)])
    func `an empty stream is an overflow where the answer's own limit leaves no room`(
        limit: Int?, kind: CompletionFailure.Kind
    ) async throws {
        var prompt = Prompt.hello
        prompt.maxTokens = limit
        let server = try RawServer("text/event-stream", "data: [DONE]\n\n")
        #expect(await server.client().ask(prompt).failure?.kind == kind)
    }

    @Test(arguments: [400, 401, 403, 404, 422, 500])
    func `no other refusal is asked again`(status: Int) async throws {
        let server = try Script([Self.status(status), Self.answer("not asked for")])
        #expect(await server.raw.client().ask().failure != nil)
        #expect(server.requests.count == 1)
    }

    @Test func `a connection lost before any byte is asked once more, and one lost later is not`() async throws {
        let server = try Script([[], Self.answer("ok")])
        #expect(await server.raw.client().ask().completion?.text == "ok")
        let twice = try Script([[], [], Self.answer("too late")])
        #expect(await twice.raw.client().ask().failure?.kind == .unavailable)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 999\r\nContent-Type: text/event-stream\r\n\r\n"
        let begun = head + "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"
        let later = try Script([Array(begun.utf8), Self.answer("not asked for")])
        let outcome = await later.raw.client().ask()
        #expect(outcome.failure?.kind == .interrupted)
        #expect(outcome.failure?.partial == "half")
        #expect(later.requests.count == 1)
    }

    @Test func `Retry-After is heeded when it fits the deadline`() async throws {
        let waits = Waits()
        let server = try Script([Self.status(429, "Retry-After: 7\r\n"), Self.answer("ok")])
        #expect(await server.raw.client(waits: waits).ask().completion?.text == "ok")
        #expect(waits.all == [.seconds(7)])
        for header in ["Retry-After: 600\r\n", ""] {
            let tooLong = try Script([Self.status(429, header), Self.answer("not asked for")])
            let failure = await tooLong.raw.client().ask().failure
            #expect(failure?.kind == .rateLimited)
            #expect(failure?.retryAfter == (header.isEmpty ? nil : .seconds(600)))
            #expect(tooLong.requests.count == 1)
        }
    }

    @Test func `an empty purse is not knocked at again`() async throws {
        let body = #"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#
        let server = try Script([Self.status(429, "Retry-After: 1\r\n", body), Self.answer("not asked for")])
        #expect(await server.raw.client().ask().failure?.kind == .quotaExhausted)
        #expect(server.requests.count == 1)
    }

    @Test func `too much context is asked once more with the newer half of it`() async throws {
        let overflow = Self.status(400, "", #"{"error":{"code":"context_length_exceeded","message":"m"}}"#)
        let history = (1...5).map { Prompt.Turn(question: "q\($0)", answer: "a\($0)") }
        let prompt = Prompt(system: "", history: history, question: "now")
        let server = try Script([overflow, Self.answer("ok")])
        #expect(await server.raw.client().ask(prompt).completion?.text == "ok")
        #expect(!server.requests[1].contains("q3") && server.requests[1].contains("q4"))
        let twice = try Script([overflow, overflow, Self.answer("not asked for")])
        #expect(await twice.raw.client().ask(prompt).failure?.kind == .tooLong)
        #expect(twice.requests.count == 2)
        let alone = try Script([overflow, Self.answer("not asked for")])
        #expect(await alone.raw.client().ask().failure?.kind == .tooLong)
        #expect(alone.requests.count == 1)
    }

    @Test func `the other name of the token limit is learnt once`() async throws {
        let refusal = Self.status(
            400, "",
            #"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. "#
                + #"Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#)
        let server = try Script([refusal, Self.answer("one"), Self.answer("two")])
        let client = server.raw.client()
        #expect(await client.ask().completion?.text == "one")
        #expect(await client.ask().completion?.text == "two")
        #expect(server.requests.map { $0.contains("\"max_tokens\"") } == [true, false, false])
        #expect(server.requests.map { $0.contains("\"max_completion_tokens\"") } == [false, true, true])
    }

    @Test func `the key is in the request and in nothing that is told`() async throws {
        let body =
            #"{"error":{"message":"bad key canary-key,\nnot sk-proj-123456 \#u{1b}[31m","code":"invalid_api_key"}}"#
        let server = try Script([Self.status(401, "", body + String(repeating: "x", count: 5000))])
        let log = MemoryLog()
        let settings = CompletionSettings(
            baseURL: "http://127.0.0.1:\(server.raw.port)", key: Secret("canary-key"))
        let outcome = await CompletionClient(settings: settings, log: log.log).ask()
        let detail = try #require(outcome.failure?.detail)
        #expect(!detail.contains("canary-key") && !detail.contains("sk-proj") && !detail.contains("\n"))
        #expect(detail.count <= 300)
        #expect(!log.lines.joined().contains("canary-key"))
    }

    @Test func `a body that never ends is cut off`() async throws {
        let comment = Array((": " + String(repeating: "x", count: 60_000) + "\n\n").utf8)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            for _ in 0..<170 { connection.write(comment) }
        }
        #expect(await server.client().ask().failure?.kind == .oversized)
    }

    @Test func `comments for ever do not outlive the deadline`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            while connection.write(": keep-alive\n\n") { usleep(5000) }
        }
        let outcome = await server.client { $0.totalTimeout = .milliseconds(200) }.ask()
        #expect(outcome.failure?.kind == .timedOut)
    }

    @Test func `a server that is not there, or not one`() async throws {
        let absent = CompletionSettings(baseURL: "http://127.0.0.1:\(try freePort())")
        #expect(await CompletionClient(settings: absent, log: MemoryLog().log).ask().failure?.kind == .unreachable)
        let ssh = try RawServer(replying: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
        #expect(await ssh.client().ask().failure?.kind == .malformed)
    }

    @Test func `text comes before the answer is whole`() async throws {
        let goOn = Mutex(false)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            connection.write("data: {\"choices\":[{\"delta\":{\"content\":\"one \"}}]}\n\n")
            while !goOn.withLock({ $0 }) { usleep(1000) }
            connection.write("data: {\"choices\":[{\"delta\":{\"content\":\"two\"},\"finish_reason\":\"stop\"}]}\n\n")
        }
        let pieces = Mutex<[String]>([])
        _ = await server.client().prepare(.hello).answer { piece in
            pieces.withLock { $0.append(piece) }
            goOn.withLock { $0 = true }
        }
        #expect(pieces.withLock { $0 } == ["one ", "two"])
    }

    @Test func `nothing leaves the process before the question is to be asked`() async throws {
        let connections = Mutex(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let client = server.client()
        // Some that are never asked, as when the login ended meanwhile.
        for _ in 0..<10 { _ = await client.prepare(.hello) }
        let question = await client.prepare(.hello)
        // Whatever that left for the network thread is done when this is answered.
        _ = await client.ask()
        #expect(connections.withLock { $0 } == 1)
        _ = await question.answer(hear: nil)
        #expect(connections.withLock { $0 } == 2)
    }

    @Test func `after [DONE] the connection is used again`() async throws {
        let connections = Mutex(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            while !connection.readRequest().isEmpty {
                let stream =
                    "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
                let size = String(stream.utf8.count, radix: 16)
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "\(size)\r\n\(stream)\r\n0\r\n\r\n")
            }
        }
        let client = server.client()
        // Other tests in this process may fill curl's pool with their connections for a while.
        var questions = 0
        let deadline = Time.system.now() + .seconds(20)
        repeat {
            questions += 1
            #expect(await client.ask().completion?.text == "a")
        } while connections.withLock({ $0 }) == questions && Time.system.now() < deadline
        #expect(connections.withLock { $0 } < questions)
    }

    private static func answer(_ text: String) -> [UInt8] {
        json(#"{"choices":[{"message":{"content":"\#(text)"},"finish_reason":"stop"}]}"#)
    }

    private static func json(_ body: String) -> [UInt8] {
        Array(
            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                .utf8)
    }

    private static func status(_ status: Int, _ headers: String = "", _ body: String = "{}") -> [UInt8] {
        Array("HTTP/1.1 \(status) X\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private static func body(of request: String) -> String {
        request.firstRange(of: "\r\n\r\n").map { String(request[$0.upperBound...]) } ?? ""
    }
}

/// A server with one reply after another, each on a connection of its own, that keeps what it was asked.
private final class Script: Sendable {
    private struct State {
        var replies: [[UInt8]]
        var requests: [String] = []
    }

    let raw: RawServer
    private let state: Shared

    /// The server's thread and the test both hold it.
    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ state: State) { self.state = Mutex(state) }
    }

    init(_ replies: [[UInt8]]) throws {
        let shared = Shared(State(replies: replies))
        state = shared
        raw = try RawServer { connection in
            let request = connection.readRequest()
            let reply = shared.state.withLock { state in
                state.requests.append(request)
                return state.replies.isEmpty ? [] : state.replies.removeFirst()
            }
            connection.write(reply)
        }
    }

    var requests: [String] { state.state.withLock { $0.requests } }
}
