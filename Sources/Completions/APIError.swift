import Domain

/// What an API said went wrong, out of every shape in which APIs say it.
struct APIError: Equatable {
    /// The machine's word for it: `code`, `type` or `status`, joined.
    private(set) var code = ""
    /// An HTTP status that stands in the body instead of on the wire.
    private(set) var status: Int?
    private(set) var message = ""
    /// The parameter complained of.
    private(set) var parameter = ""

    init(message: String) { self.message = message }

    /// `{"error": {…}}`, `{"error": "…"}`, the flat form, `{"detail": …}`, and any of these in an array.
    init(_ body: JSONValue) {
        let body = body.items?.first ?? body
        if let text = body.text ?? body["error"]?.text {
            message = text
            return
        }
        let error = body["error"] ?? body
        code = [error["code"], error["type"], error["status"]].compactMap { $0?.text }.joined(separator: " ")
        status = [error["code"], error["status"], error["statusCode"]].compactMap { $0?.integer }
            .first { (400..<600).contains($0) }
        parameter = error["param"]?.text ?? ""
        message = (error["message"] ?? error["detail"] ?? error["msg"]).map { Self.words(in: $0) } ?? ""
    }

    /// The texts of a message that is itself an object or a list, as FastAPI and Mistral send it.
    private static func words(in value: JSONValue, depth: Int = 0) -> String {
        if let text = value.string { return text }
        guard depth < 4 else { return "" }
        if let items = value.items { return items.map { words(in: $0, depth: depth + 1) }.joined(separator: "; ") }
        let names: [StaticString] = ["msg", "message", "detail", "type", "loc"]
        return names.compactMap { value[$0] }.map { words(in: $0, depth: depth + 1) }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// Question and history are more than the model takes. Servers have several codes for it, and some have only words.
    var isContextOverflow: Bool {
        let said = (code + " " + message).lowercased()
        return ["context", "max_model_len", "too long", "too large"].contains { said.contains($0) }
    }

    /// OpenAI's newer models want the other name for the limit.
    var wantsMaxCompletionTokens: Bool {
        message.contains("max_completion_tokens") && (parameter == "max_tokens" || message.contains("max_tokens'"))
    }

    /// The kind of failure, given the status on the wire.
    func kind(status wire: Int) -> CompletionFailure.Kind {
        let status = wire < 400 ? self.status ?? wire : wire
        let said = (code + " " + message).lowercased()
        switch status {
        case 400, 413, 422:
            if said.contains("content_filter") || said.contains("content management policy") { return .filtered }
            if said.contains("model_not_found") || said.contains("invalid model name") { return .notFound }
            return isContextOverflow || status == 413 ? .tooLong : .rejected
        case 401, 403: return .unauthorized
        case 402: return .quotaExhausted
        case 404: return .notFound
        case 408: return .timedOut
        case 429, 498: return isAboutMoney ? .quotaExhausted : .rateLimited
        case 500...: return .unavailable
        case 300...: return .rejected
        default: return kindWithoutStatus
        }
    }

    private var isAboutMoney: Bool {
        let said = (code + " " + message).lowercased()
        return ["insufficient_quota", "credit_balance", "billing", "exceeded your current quota"]
            .contains { said.contains($0) }
    }

    /// An error inside a response that began as a success.
    private var kindWithoutStatus: CompletionFailure.Kind {
        if isAboutMoney { return .quotaExhausted }
        if code.contains("rate_limit") { return .rateLimited }
        if code.contains("content_filter") { return .filtered }
        return isContextOverflow ? .tooLong : .unavailable
    }
}
