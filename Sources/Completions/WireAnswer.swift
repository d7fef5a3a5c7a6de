/// What matters in a response's JSON, whole or one chunk of a stream, however the server at hand spells it.
///
/// Decoding never fails on a wrong or missing member: servers differ in all of them. Only text that is no JSON fails.
struct WireAnswer: Decodable {
    private(set) var text = ""
    private(set) var finishReason: String?
    private(set) var hasChoice = false
    private(set) var promptTokens: Int?
    private(set) var completionTokens: Int?
    /// The whole body, when it is or holds an error.
    private(set) var error: JSONValue?

    private enum Key: String, CodingKey { case choices, usage, error, object, detail }

    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: Key.self) else {
            // Gemini wraps its error in an array.
            if let body = try? JSONValue(from: decoder), case .array(let items) = body, case .object? = items.first {
                error = body
            }
            return
        }
        let choice = (try? members.decodeIfPresent([Choice].self, forKey: .choices))?.first
        hasChoice = choice != nil
        text = choice?.text ?? ""
        finishReason = choice?.finishReason
        let usage = try? members.decodeIfPresent(Usage.self, forKey: .usage)
        promptTokens = usage?.promptTokens
        completionTokens = usage?.completionTokens
        let hasError = members.contains(.error) && (try? members.decodeNil(forKey: .error)) == false
        if hasError || choice == nil && Self.isFlatError(members) { error = try? JSONValue(from: decoder) }
    }

    /// Errors without an `error` around them, as Mistral and FastAPI send.
    private static func isFlatError(_ members: KeyedDecodingContainer<Key>) -> Bool {
        members.contains(.detail) || (try? members.decodeIfPresent(String.self, forKey: .object)) == "error"
    }
}

// `decodeIfPresent` throughout: an error thrown for each missing member would cost more than all the rest.

private struct Choice: Decodable {
    var text: String?
    var finishReason: String?

    private enum Key: String, CodingKey {
        case delta, message, text
        case finishReason = "finish_reason"
    }

    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: Key.self) else { return }
        if let message = try? members.decodeIfPresent(Message.self, forKey: .delta) {
            text = message.text
        } else if let message = try? members.decodeIfPresent(Message.self, forKey: .message) {
            text = message.text
        } else {
            text = try? members.decodeIfPresent(String.self, forKey: .text)
        }
        let reason = try? members.decodeIfPresent(String.self, forKey: .finishReason)
        finishReason = reason?.isEmpty == false ? reason : nil
    }
}

private struct Message: Decodable {
    /// Nil where there is none; the model's thoughts (`reasoning_content`, `reasoning`) are not the answer.
    var text: String?

    private enum Key: String, CodingKey { case content, refusal }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        do {
            text = try members.decodeIfPresent(String.self, forKey: .content)
        } catch {
            text = try? members.decode([Part].self, forKey: .content).compactMap(\.text).joined()
        }
        if text?.isEmpty != false, let refusal = try? members.decodeIfPresent(String.self, forKey: .refusal) {
            text = refusal
        }
    }
}

/// Mistral's models that think send `content` as a list of parts, thoughts among them.
private struct Part: Decodable {
    var text: String?

    private enum Key: String, CodingKey { case type, text }

    init(from decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: Key.self) else {
            text = try? decoder.singleValueContainer().decode(String.self)
            return
        }
        let type = try? members.decode(String.self, forKey: .type)
        if type == nil || type == "text" || type == "output_text" {
            text = try? members.decode(String.self, forKey: .text)
        }
    }
}

private struct Usage: Decodable {
    var promptTokens: Int?
    var completionTokens: Int?

    private enum Key: String, CodingKey {
        case promptTokens = "prompt_tokens"
        case completionTokens = "completion_tokens"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        promptTokens = try? members.decodeIfPresent(Int.self, forKey: .promptTokens)
        completionTokens = try? members.decodeIfPresent(Int.self, forKey: .completionTokens)
    }
}
