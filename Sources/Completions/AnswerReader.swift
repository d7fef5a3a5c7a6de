import Domain
import Network

/// Reads one response, streamed or whole, and says what it amounts to. A pure value: bytes in, text and a verdict out.
///
/// Whether it is a stream is told by what comes, not by what was asked for: servers ignore `stream`, and proxies answer
/// with pages of their own.
struct AnswerReader {
    enum Verdict: Equatable {
        case finished(Completion)
        case failed(CompletionFailure.Kind, String)
        case error(APIError)
    }

    private enum Form { case undecided, stream, whole }

    /// The most text that is kept of an answer, in bytes; then it ends as cut.
    static let textLimit = 32 * 1024
    private static let errorBodyLimit = 64 * 1024

    /// 0 until a response began.
    private(set) var status = 0
    private(set) var headers: [String: String] = [:]
    /// All text passed on so far.
    private(set) var text = ""
    /// Set once; what comes after it is of no interest.
    private(set) var verdict: Verdict?
    /// The stream said `[DONE]`: nothing but its formal end is still to come.
    private(set) var isDone = false

    private var form = Form.undecided
    private var stops: StopStrings
    private var events = ServerSentEvents()
    private var hasEvent = false
    /// What came, until it is known to be a stream.
    private var body: [UInt8] = []
    private var finishReason: String?
    private var promptTokens: Int?
    private var completionTokens: Int?

    init(stops: [String]) { self.stops = StopStrings(stops) }

    /// The API takes the other name of the token limit.
    var wantsMaxCompletionTokens: Bool {
        if case .error(let error) = verdict { error.wantsMaxCompletionTokens } else { false }
    }

    /// The status on the wire, or the one an error in the body carries.
    var effectiveStatus: Int {
        if case .error(let error) = verdict, isSuccess { error.status ?? status } else { status }
    }

    private var isSuccess: Bool { (200..<300).contains(status) }

    mutating func receive(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = headers
        if headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true { form = .stream }
    }

    /// Returns the text to pass on.
    mutating func receive(_ bytes: [UInt8]) -> String {
        guard verdict == nil else { return "" }
        guard isSuccess else {
            body += bytes.prefix(max(0, Self.errorBodyLimit - body.count))
            return ""
        }
        if !hasEvent { body += bytes }
        switch form {
        case .whole: return ""
        case .stream: return read(events.add(bytes))
        case .undecided:
            guard let isStream = Self.looksLikeStream(body) else { return "" }
            form = isStream ? .stream : .whole
            return isStream ? read(events.add(body)) : ""
        }
    }

    /// The response is over; with a failure when it broke off. Returns the text that was still held back.
    mutating func end(_ failure: HTTPFailure?) -> String {
        guard verdict == nil else { return "" }
        if let failure, finishReason == nil {
            verdict = .failed(kind(of: failure), failure.detail)
            return ""
        }
        guard isSuccess else {
            verdict = .error(errorInBody)
            return ""
        }
        let rest = form == .stream ? read(events.finish()) : ""
        guard verdict == nil else { return rest }
        let first = body.first { $0 > 0x20 }
        if form != .stream && first != nil || first == UInt8(ascii: "{") { return readWhole() }
        if finishReason != nil { return rest + conclude() }
        verdict =
            text.isEmpty
            ? .failed(.empty, "the response has nothing in it")
            : .failed(.interrupted, "the stream ended without a finish_reason")
        return rest
    }

    private func kind(of failure: HTTPFailure) -> CompletionFailure.Kind {
        switch failure.kind {
        case .unreachable, .tls: .unreachable
        case .timedOut: .timedOut
        case .oversized: .oversized
        case .interrupted: status == 0 ? .unavailable : .interrupted
        case .other: status == 0 ? .malformed : .interrupted
        }
    }
}

// Streams.
extension AnswerReader {
    private mutating func read(_ events: [ServerSentEvents.Event]) -> String {
        var new = ""
        for event in events where verdict == nil { new += read(event) }
        return new
    }

    private mutating func read(_ event: ServerSentEvents.Event) -> String {
        hasEvent = true
        body = []
        if event.data == "[DONE]" {
            isDone = true
            if finishReason != nil { return conclude() }
            verdict =
                text.isEmpty
                ? .failed(.empty, "the stream has nothing in it")
                : .failed(.interrupted, "the stream is done but the answer has no finish_reason")
            return ""
        }
        if event.name == "error" {
            verdict = .error(Self.error(in: event.data))
            return ""
        }
        guard let answer = WireAnswer(event.data) else {
            let kind: CompletionFailure.Kind = text.isEmpty ? .malformed : .interrupted
            verdict = .failed(kind, "broken JSON in the stream: \(event.data.prefix(80))")
            return ""
        }
        if let error = answer.error {
            verdict = .error(APIError(error))
            return ""
        }
        return take(answer)
    }

    private mutating func take(_ answer: WireAnswer) -> String {
        promptTokens = answer.promptTokens ?? promptTokens
        completionTokens = answer.completionTokens ?? completionTokens
        finishReason = answer.finishReason ?? finishReason
        return pass(stops.add(answer.text))
    }

    /// Nil while too little has come to tell.
    private static func looksLikeStream(_ body: [UInt8]) -> Bool? {
        let start = body.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        let fields = [":", "data:", "event:", "error:", "id:", "retry:"].map { Array($0.utf8) }
        if fields.contains(where: { start.starts(with: $0) }) { return true }
        return fields.contains { $0.starts(with: start) } ? nil : false
    }
}

// Whole responses, and the end of both.
extension AnswerReader {
    private mutating func readWhole() -> String {
        let json = String(decoding: body, as: UTF8.self)
        guard let answer = WireAnswer(json) else {
            verdict = .failed(
                .malformed, "no JSON but \(headers["content-type"] ?? "something"): \(Self.gist(of: json))")
            return ""
        }
        if let error = answer.error {
            verdict = .error(APIError(error))
            return ""
        }
        guard answer.hasChoice else {
            verdict = .failed(.malformed, "an answer without choices: \(json.prefix(80))")
            return ""
        }
        let new = take(answer)
        return new + (verdict == nil ? conclude() : "")
    }

    /// Adds to the answer, whose leading white space is nobody's.
    private mutating func pass(_ piece: String) -> String {
        var new = text.isEmpty ? String(piece.drop(while: \.isWhitespace)) : piece
        let room = Self.textLimit - text.utf8.count
        let isFull = new.utf8.count > room
        if isFull { new = Self.beginning(of: new, room) }
        text += new
        if isFull { finish(isCut: true) } else if stops.isStopped { finish(isCut: false) }
        return new
    }

    /// As many whole characters as there is room for, counted from the front: from behind, flags are told apart only by going
    /// back to the first of them, each time.
    private static func beginning(of text: String, _ room: Int) -> String {
        var end = text.startIndex
        var size = 0
        for character in text {
            size += character.utf8.count
            guard size <= room else { break }
            end = text.utf8.index(end, offsetBy: character.utf8.count)
        }
        return String(text[..<end])
    }

    /// The model has ended; what it said decides what this was.
    private mutating func conclude() -> String {
        let rest = pass(stops.finish())
        guard verdict == nil else { return rest }
        switch finishReason {
        case "content_filter": verdict = .failed(.filtered, "the provider filtered the answer")
        case "error", "abort": verdict = .failed(.interrupted, "finish_reason is \(finishReason ?? "")")
        case "length", "model_length": finish(isCut: true)
        default: finish(isCut: false)
        }
        return rest
    }

    private mutating func finish(isCut: Bool) {
        guard !text.isEmpty else {
            let cause =
                isCut ? "all of max_tokens went by before the first word of the answer" : "the answer has no words"
            verdict = .failed(.empty, cause)
            return
        }
        verdict = .finished(
            Completion(text: text, isCut: isCut, promptTokens: promptTokens, completionTokens: completionTokens))
    }

    private var errorInBody: APIError {
        if let location = headers["location"], (300..<400).contains(status) {
            return APIError(message: "the API is at \(location), and redirects are not followed")
        }
        return Self.error(in: String(decoding: body, as: UTF8.self))
    }

    private static func error(in text: String) -> APIError {
        JSONValue(text).map { APIError($0) } ?? APIError(message: gist(of: text))
    }

    /// The title of a web page, or how the text begins.
    private static func gist(of body: String) -> String {
        guard let open = body.firstRange(of: "<title>"), let close = body.firstRange(of: "</title>"),
            open.upperBound <= close.lowerBound
        else { return String(body.prefix(80)) }
        return String(body[open.upperBound..<close.lowerBound].prefix(80))
    }
}
