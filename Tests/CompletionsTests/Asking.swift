import Completions
import Domain
import Runtime
import Synchronization
import TestKit

/// What came of one question.
struct Outcome: Sendable, CustomStringConvertible {
    var pieces: [String] = []
    var completion: Completion?
    var failure: CompletionFailure?

    var text: String { pieces.joined() }
    var description: String {
        if let completion { return "answer \(completion)" }
        return failure.map { "\($0.kind) partial=\($0.partial.debugDescription) detail=\($0.detail)" } ?? "nothing"
    }
}

/// A clock that does not wait, and tells how long it would have.
final class Waits: Sendable {
    private let kept = Mutex<[Duration]>([])

    var all: [Duration] { kept.withLock { $0 } }

    var time: Time {
        Time(
            now: Time.system.now, wall: { Timestamp(milliseconds: 1_000_000) },
            sleep: { duration in self.kept.withLock { $0.append(duration) } })
    }
}

extension CompletionClient {
    func ask(_ prompt: Prompt = .hello) async -> Outcome {
        let pieces = Mutex<[String]>([])
        let end = await prepare(prompt).answer { piece in pieces.withLock { $0.append(piece) } }
        var outcome = Outcome()
        outcome.pieces = pieces.withLock { $0 }
        switch end {
        case .finished(let completion): outcome.completion = completion
        case .failed(let failure): outcome.failure = failure
        case .stopped: break
        }
        return outcome
    }
}

extension Prompt {
    static let hello = Prompt(system: "Be brief.", history: [], question: "Say hi.")
}

extension RawServer {
    /// Answers every request with these bytes and then ends the connection.
    convenience init(replying bytes: [UInt8]) throws {
        try self.init { connection in
            _ = connection.readRequest()
            connection.write(bytes)
        }
    }

    /// A 200 with a body that ends with the connection.
    convenience init(_ contentType: String, _ body: String) throws {
        try self.init(replying: Array("HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\n\r\n\(body)".utf8))
    }

    func client(_ change: (inout CompletionSettings) -> Void = { _ in }, waits: Waits = Waits()) -> CompletionClient {
        var settings = CompletionSettings(baseURL: "http://127.0.0.1:\(port)", key: Secret("canary-key"))
        change(&settings)
        return CompletionClient(settings: settings, log: MemoryLog().log, time: waits.time)
    }
}
