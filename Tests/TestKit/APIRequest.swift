import FoundationEssentials
import Runtime
import Synchronization

/// A request as the scripted API received it.
public struct APIRequest: Sendable {
    public let path: String
    /// Names in lower case.
    public let headers: [String: String]
    public let body: String
    /// When it was complete, by the monotonic clock.
    public let receivedAt = Time.system.now()
    private let known: Content

    /// From the body: what the model would see last.
    public var question: String { messages.last?.content ?? known.value.prompt ?? "" }
    /// From the body of a chat request: role and text of each message.
    public var messages: [(role: String, content: String)] {
        (known.value.messages ?? []).map { ($0.role, $0.content) }
    }
    public var wantsStream: Bool { known.value.stream ?? false }

    init(path: String, headers: [String: String], body: [UInt8]) {
        self.path = path
        self.headers = headers
        self.body = String(decoding: body, as: UTF8.self)
        known = Content(body)
    }

    /// Decoded when somebody asks: that takes longer than all else that the scripted API does.
    private final class Content: Sendable {
        private let body: [UInt8]
        private let decoded = Mutex<Known?>(nil)

        init(_ body: [UInt8]) { self.body = body }

        var value: Known {
            decoded.withLock { decoded in
                if let decoded { return decoded }
                let known = (try? JSONDecoder().decode(Known.self, from: Data(body))) ?? Known()
                decoded = known
                return known
            }
        }
    }

    private struct Known: Decodable {
        struct Message: Decodable {
            let role: String
            let content: String
        }

        var messages: [Message]?
        var prompt: String?
        var stream: Bool?
    }
}

/// What the scripted API does with a request.
public enum APIReply: Sendable {
    /// A whole, proper answer, streamed or plain as the request asked.
    case text(String)
    /// The very bytes of an answer, made beforehand.
    case ready([UInt8])
    case status(Int, body: String, headers: [String: String] = [:])
    /// These bytes and then the end of the connection: for what is no answer at all.
    case raw(String)
    /// A stream of these pieces, with so long between two of them.
    case pieces([String], every: Duration)
    /// A stream that breaks off after this text.
    case cut(after: String)
    /// Takes the request and never says anything.
    case silence
    /// Closes at once with a reset.
    case reset
}

extension APIReply {
    /// The bytes on the wire, each part so long after the one before, and whether the connection ends with them.
    func parts(for request: APIRequest) -> (parts: [(bytes: [UInt8], after: Duration)], closes: Bool) {
        guard case .pieces(let pieces, let wait) = self else {
            let (bytes, closes) = bytes(for: request)
            return (bytes.isEmpty ? [] : [(bytes, .zero)], closes)
        }
        let isChat = request.path.hasSuffix("/chat/completions")
        var parts = pieces.map { Self.chunk(Self.delta($0, isChat: isChat)) }
        parts[0] = Self.streamHead + parts[0]
        parts.append(Self.end(isChat: isChat))
        return (parts.enumerated().map { (Array($1.utf8), $0 == 0 || $0 == pieces.count ? .zero : wait) }, false)
    }

    private func bytes(for request: APIRequest) -> (bytes: [UInt8], closes: Bool) {
        let isChat = request.path.hasSuffix("/chat/completions")
        switch self {
        case .text(let text):
            let whole = request.wantsStream ? Self.stream(text, isChat: isChat) : Self.plain(text, isChat: isChat)
            return (Array(whole.utf8), false)
        case .status(let status, let body, let headers):
            let extra = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
            let head = "HTTP/1.1 \(status) Scripted\r\nContent-Type: application/json\r\n\(extra)"
            return (Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8), false)
        case .ready(let bytes): return (bytes, false)
        case .raw(let text): return (Array(text.utf8), true)
        case .cut(let text):
            return (Array((Self.streamHead + Self.chunk(Self.delta(text, isChat: isChat))).utf8), true)
        case .silence, .reset, .pieces: return ([], false)
        }
    }

    /// What a chat request that is to be streamed gets, so that nothing is left to be done when it comes.
    public static func ready(_ text: String) -> APIReply { .ready(Array(stream(text, isChat: true).utf8)) }

    private static let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Word by word, as models write, in the framing of llama.cpp's server.
    private static func stream(_ text: String, isChat: Bool) -> String {
        var body = streamHead
        let role = "\"delta\":{\"role\":\"assistant\",\"content\":null}"
        if isChat { body += chunk("data: {\"choices\":[{\"index\":0,\(role)}]}\n\n") }
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix(while: { $0 == " " }) + rest.drop(while: { $0 == " " }).prefix(while: { $0 != " " })
            body += chunk(delta(String(word), isChat: isChat))
            rest = rest.dropFirst(word.count)
        }
        return body + end(isChat: isChat)
    }

    private static func end(isChat: Bool) -> String {
        let end = isChat ? "\"delta\":{}" : "\"text\":\"\""
        return chunk("data: {\"choices\":[{\"index\":0,\(end),\"finish_reason\":\"stop\"}]}\n\n")
            + chunk("data: [DONE]\n\n") + "0\r\n\r\n"
    }

    private static func plain(_ text: String, isChat: Bool) -> String {
        let message = "\"message\":{\"role\":\"assistant\",\"content\":\(quoted(text))}"
        let content = isChat ? message : "\"text\":\(quoted(text))"
        let body = """
            {"object":"scripted","choices":[{"index":0,\(content),"finish_reason":"stop"}],\
            "usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}
            """
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func delta(_ text: String, isChat: Bool) -> String {
        let part = isChat ? "\"delta\":{\"content\":\(quoted(text))}" : "\"text\":\(quoted(text))"
        return "data: {\"choices\":[{\"index\":0,\(part),\"finish_reason\":null}]}\n\n"
    }

    private static func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    private static func quoted(_ text: String) -> String {
        // A thousand answers of many words are made in one moment.
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else { return "\"\(text)\"" }
        guard let data = try? JSONEncoder().encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}
