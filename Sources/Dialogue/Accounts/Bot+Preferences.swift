import Accounts
import Domain

/// SET and PERSONA, and what comes of them: how a turn is asked and its answer looks.
///
/// People choose within what the operator allows: a channel that wants to be addressed, or plain text, gets it from
/// everybody; lines are at most the operator's, and models those of the operator's list.
extension Bot {
    // MARK: Deciding

    func set(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        let models = models(for: speaker)
        var preferences = login.account.preferences
        guard let word = arguments.first else {
            return notice(Phrases.preferences(preferences, models: models, bot), to: speaker)
        }
        let value = arguments.dropFirst().joined(separator: " ")
        guard let key = PreferenceKey(word) else { return notice(Phrases.preferenceUsage(models, bot), to: speaker) }
        guard key.set(value, in: &preferences, models: models) else {
            return notice(Phrases.cannotSet(key, models: models, bot), to: speaker)
        }
        let done = Phrases.isSet(key, to: key.value(in: preferences))
        return change(.preferences(preferences), speaker, visit, login.account, done: done)
    }

    func persona(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let bot = ownNick(on: speaker.connection)
        var preferences = login.account.preferences
        let typed = arguments.joined(separator: " ")
        let text = typed.replacing("\n", with: " ")
        guard settings.maxPersonaLength > 0 else { return notice(Phrases.noPersonas, to: speaker) }
        guard text.isVisible else { return notice(Phrases.persona(preferences.persona, bot), to: speaker) }
        guard finding(in: typed, speaker)?.secrecy != .certain else {
            return notice(Phrases.secretInPrivate(bot), to: speaker)
        }
        guard text.count <= settings.maxPersonaLength else {
            return notice(Phrases.personaTooLong(settings.maxPersonaLength), to: speaker)
        }
        preferences.persona = ["OFF", "NONE", "DEFAULT"].contains(text.uppercased()) ? nil : text
        let done = Phrases.personaIsSet(preferences.persona)
        return change(.preferences(preferences), speaker, visit, login.account, done: done)
    }

    /// In private, also those of a channel there: what is chosen holds wherever it may be used.
    private func models(for speaker: Speaker) -> [String] {
        let network = speaker.connection.network
        guard let channel = speaker.place.channel else {
            let channels = settings.channels[network] ?? []
            return (settings.models[network, default: []] + channels.flatMap(\.models))
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        return rules(for: channel, on: speaker.connection)?.models ?? []
    }

    // MARK: What comes of them

    /// The operator's instruction first: what follows is the person's and may not undo it.
    func system(of turn: Turn) -> String {
        let preferences = turn.account.preferences
        var parts = [rules(of: turn)?.systemPrompt ?? settings.systemPrompt]
        if let language = preferences.language { parts.append(Phrases.promptLanguage(language)) }
        if let persona = preferences.persona, persona.count <= settings.maxPersonaLength {
            parts.append(Phrases.promptPersona(persona))
        }
        return parts.joined(separator: "\n")
    }

    /// Nil for the API's configured model.
    func model(of turn: Turn) -> String? {
        let rules = rules(of: turn)
        let allowed = rules?.models ?? settings.models[turn.speaker.connection.network] ?? []
        if let own = turn.account.preferences.model, allowed.contains(own) { return own }
        return rules?.model
    }

    func maxLines(of turn: Turn) -> Int { maxLines(turn.account.preferences, under: rules(of: turn)) }

    /// In private where there are no rules.
    func maxLines(_ preferences: Preferences, under rules: ChannelRules? = nil) -> Int {
        min(rules?.maxLines ?? settings.maxDirectLines, preferences.lines ?? .max)
    }

    func format(of turn: Turn) -> AnswerFormat {
        if let key = key(of: turn), answers.isPlain(key) { return .plain }
        return format(turn.account.preferences, under: rules(of: turn))
    }

    /// In private where there are no rules.
    func format(_ preferences: Preferences, under rules: ChannelRules? = nil) -> AnswerFormat {
        rules?.format == .plain ? .plain : preferences.format ?? rules?.format ?? settings.format
    }
}

/// What SET can set.
enum PreferenceKey: String, CaseIterable, Sendable {
    case listen = "LISTEN"
    case format = "FORMAT"
    case model = "MODEL"
    case language = "LANGUAGE"
    case lines = "LINES"

    /// In any case.
    init?(_ word: String) {
        self.init(rawValue: TypedLine.plain(word).uppercased())
    }

    static let maxLines = 100
    static let maxLanguageLength = 40

    /// `SET LISTEN all` is meant, and `set up a server for me` is a question.
    static func isMeant(by words: [String]) -> Bool {
        guard let key = words.first.flatMap({ Self($0) }) else { return false }
        return words.count <= 2 || (key == .language && words.count <= 4)
    }

    func value(in preferences: Preferences) -> String? {
        switch self {
        case .listen: preferences.listen?.rawValue
        case .format: preferences.format?.rawValue
        case .model: preferences.model
        case .language: preferences.language
        case .lines: preferences.lines.map { "\($0)" }
        }
    }

    /// Sets what was typed; false where that cannot be.
    func set(_ text: String, in preferences: inout Preferences, models: [String]) -> Bool {
        let word = TypedLine.plain(text).lowercased()
        let isDefault = word == "default"
        switch self {
        case .listen:
            preferences.listen = Listen(rawValue: word)
            return isDefault || preferences.listen != nil
        case .format:
            preferences.format = AnswerFormat(rawValue: word)
            return isDefault || preferences.format != nil
        case .model:
            preferences.model = models.first { $0.lowercased() == word }
            return isDefault || preferences.model != nil
        case .language:
            let isName = text.isVisible && text.allSatisfy { $0.isLetter || " -()".contains($0) }
            preferences.language = isDefault ? nil : text
            return isName && text.count <= Self.maxLanguageLength
        case .lines:
            preferences.lines = Int(word).flatMap { (1...Self.maxLines).contains($0) ? $0 : nil }
            return isDefault || preferences.lines != nil
        }
    }
}
