/// Which lines of a channel are questions.
public enum Listen: String, Sendable, CaseIterable {
    /// Every line of someone logged in.
    case all
    /// Only lines addressed to the bot.
    case addressed
}

/// How answers look.
public enum AnswerFormat: String, Sendable, CaseIterable {
    /// Text alone, which every client, log and bridge shows as it is meant.
    case plain
    /// With bold and italics.
    case irc
}

/// How somebody wants to be heard and answered, on every network; nil for what the operator decided.
public struct Preferences: Sendable, Equatable {
    public var listen: Listen?
    public var format: AnswerFormat?
    /// As the operator's list of models spells it.
    public var model: String?
    /// The language of answers, in the person's own word for it.
    public var language: String?
    /// At most so many lines for an answer.
    public var lines: Int?
    /// What the person would have the model be like, in their words.
    public var persona: String?

    public init(
        listen: Listen? = nil, format: AnswerFormat? = nil, model: String? = nil, language: String? = nil,
        lines: Int? = nil, persona: String? = nil
    ) {
        self.listen = listen
        self.format = format
        self.model = model
        self.language = language
        self.lines = lines
        self.persona = persona
    }
}
