import Domain

/// The one text a `completions` model continues, built from a template.
///
/// `{system}`, `{history}` and `{question}` are replaced once; what stands in their place is never looked into again. The
/// part after `{history}` is the form of one question, and the history repeats it for each earlier one with its answer, so
/// a template that ends in `Q: {question}\nA:` has a history of `Q: …\nA: …` lines.
struct PromptTemplate {
    /// What is used unless the operator gives one.
    static let standard = "{system}\n\n{history}User: {question}\nAssistant:"

    private let beginning: Substring
    private let form: Substring
    private let hasHistory: Bool

    init(_ settings: CompletionSettings) { self.init(settings.promptTemplate ?? Self.standard) }

    init(_ template: String) {
        if let history = template.firstRange(of: "{history}") {
            beginning = template[..<history.lowerBound]
            form = template[history.upperBound...]
            hasHistory = true
        } else {
            beginning = ""
            form = template[...]
            hasHistory = false
        }
    }

    func text(for prompt: Prompt) -> String {
        var text = Self.fill(beginning, system: prompt.system, question: prompt.question)
        for turn in hasHistory ? prompt.history : [] {
            let question = Self.fill(form, system: prompt.system, question: turn.question)
            text += question + (question.last?.isWhitespace == true ? "" : " ") + turn.answer + "\n"
        }
        return text + Self.fill(form, system: prompt.system, question: prompt.question)
    }

    /// How the model would begin to invent the next question: the line that leads to `{question}`, up to it.
    var inventedTurn: String? {
        guard let question = form.firstRange(of: "{question}") else { return nil }
        let lead = form[..<question.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        let mark = lead.reversed().drop { $0.isWhitespace }.reversed()
        return mark.isEmpty ? nil : "\n" + String(mark)
    }

    private static func fill(_ template: Substring, system: String, question: String) -> String {
        var result = ""
        var rest = template
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix("{system}") {
                result += system
                rest = rest.dropFirst(8)
            } else if rest.hasPrefix("{question}") {
                result += question
                rest = rest.dropFirst(10)
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}
