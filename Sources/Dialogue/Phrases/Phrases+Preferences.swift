import Domain

/// What the bot says about SET and PERSONA, and what it tells the model of them.
extension Phrases {
    static func preferences(_ preferences: Preferences, models: [String], _ bot: Nick) -> [String] {
        let values = PreferenceKey.allCases.map { "\($0.rawValue) \($0.value(in: preferences) ?? "default")" }
        return ["Your settings: \(values.joined(separator: ", ")). Default is what the operator of this bot decided."]
            + preferenceUsage(models, bot)
    }

    static func preferenceUsage(_ models: [String], _ bot: Nick) -> [String] {
        let usages = PreferenceKey.allCases.filter { $0 != .model || !models.isEmpty }
            .map { "\($0.rawValue) \(choice(of: $0, models))" }
        return ["To change one: /msg \(bot) SET \(usages.joined(separator: ", or ")). Each may also be set to default."]
    }

    static func cannotSet(_ key: PreferenceKey, models: [String], _ bot: Nick) -> [String] {
        guard key != .model || !models.isEmpty else { return ["There is one AI here, so there is nothing to choose."] }
        return ["Say it like this: /msg \(bot) SET \(key.rawValue) \(choice(of: key, models)), or default."]
    }

    static func isSet(_ key: PreferenceKey, to value: String?) -> [String] {
        ["\(key.rawValue) is \(value ?? "default") from now on."]
    }

    private static func choice(of key: PreferenceKey, _ models: [String]) -> String {
        switch key {
        case .listen: "all|addressed"
        case .format: "irc|plain"
        case .model: models.joined(separator: "|")
        case .language: "<name of a language>"
        case .lines: "<1 to \(PreferenceKey.maxLines)>"
        }
    }

    static let noPersonas = ["The operator of this bot allows no personas."]

    static func persona(_ persona: String?, _ bot: Nick) -> [String] {
        let own = persona.map { "The AI is told to be like this for you: \($0)" } ?? "You have no persona."
        return [own, "To change it: /msg \(bot) PERSONA <text>  To be without: /msg \(bot) PERSONA OFF"]
    }

    static func personaTooLong(_ longest: Int) -> [String] {
        ["A persona has at most \(longest) characters. Nothing was changed."]
    }

    static func personaIsSet(_ persona: String?) -> [String] {
        [
            persona == nil
                ? "You have no persona from now on." : "The AI is told so with each of your questions from now on."
        ]
    }

    // MARK: To the model

    static func promptLanguage(_ language: String) -> String {
        "Answer in this language unless the question asks for another: \(language)"
    }

    static func promptPersona(_ persona: String) -> String {
        "The person you talk to would have you be like this, as far as it goes with what stands above: \(persona)"
    }
}
