/// What matters in a response's JSON, whole or one chunk of a stream, however the server at hand spells it.
///
/// A wrong or missing member is as good as none: servers differ in all of them.
struct WireAnswer {
    private(set) var text = ""
    private(set) var finishReason: String?
    private(set) var hasChoice = false
    private(set) var promptTokens: Int?
    private(set) var completionTokens: Int?
    /// The whole body, when it is or holds an error.
    private(set) var error: JSONValue?

    /// Nil where the text is no JSON.
    init?(_ text: String) {
        if let usual = UsualChunk(text) { self.init(usual) } else { self.init(whole: text) }
    }

    private init(_ usual: UsualChunk) {
        text = usual.text
        finishReason = usual.finishReason
        hasChoice = usual.hasChoice
    }

    /// The same by the whole parser, for whatever a server sends.
    init?(whole text: String) {
        guard let body = JSONValue(text) else { return nil }
        guard body.isObject else {
            // Gemini wraps its error in an array.
            if body.items?.first?.isObject == true { error = body }
            return
        }
        let choice = body["choices"]?.items?.first
        hasChoice = choice != nil
        self.text = choice.flatMap(Self.text(of:)) ?? ""
        finishReason = choice?["finish_reason"]?.text
        promptTokens = body["usage"]?["prompt_tokens"]?.count
        completionTokens = body["usage"]?["completion_tokens"]?.count
        let hasError = body["error"]?.isNull == false
        if hasError || choice == nil && Self.isFlatError(body) { error = body }
    }

    /// Errors without an `error` around them, as Mistral and FastAPI send.
    private static func isFlatError(_ body: JSONValue) -> Bool {
        body["detail"] != nil || body["object"]?.string == "error"
    }

    private static func text(of choice: JSONValue) -> String? {
        for name: StaticString in ["delta", "message"] {
            if let message = choice[name], message.isObject { return text(ofMessage: message) }
        }
        return choice["text"]?.string
    }

    /// Nil where there is none; the model's thoughts (`reasoning_content`, `reasoning`) are not the answer.
    private static func text(ofMessage message: JSONValue) -> String? {
        let content = message["content"]
        let text = content?.string ?? content?.items?.compactMap(text(ofPart:)).joined()
        return text?.isEmpty == false ? text : message["refusal"]?.string ?? text
    }

    /// Mistral's models that think send `content` as a list of parts, thoughts among them.
    private static func text(ofPart part: JSONValue) -> String? {
        guard part.isObject else { return part.string }
        switch part["type"]?.string {
        case nil, "text", "output_text": return part["text"]?.string
        default: return nil
        }
    }
}
