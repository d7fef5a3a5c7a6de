import Domain

/// Commands about conversations and answers.
extension Command {
    static let answers: [Command] = [
        Command(
            name: "STOP", usage: "STOP", summary: "ends the answer under way at once",
            details: ["Wherever you asked. What came of it is kept."],
            topic: .answers, audience: .loggedIn, answer: { bot, speaker, _ in bot.stop(speaker) }),
        Command(
            name: "RETRY", usage: "RETRY", summary: "asks your last question again",
            details: ["In the place where you say it. Its earlier answer is left out of the conversation."],
            topic: .answers, audience: .loggedIn, answer: { bot, speaker, _ in bot.retry(speaker) }),
        Command(
            name: "NEW", usage: "NEW", summary: "begins a new conversation",
            details: [
                "I forget nothing, but the AI is not told any more what you asked before, in the place where you say it:"
                    + " here, or in a channel as: bot: new"
            ],
            topic: .answers, audience: .loggedIn, answer: { bot, speaker, _ in bot.startAfresh(speaker) }),
        Command(
            name: "ASK", usage: "ASK <text>", summary: "asks a question that looks like a command",
            details: ["Write ASK in capitals, or with a sign before it: ASK help me"],
            topic: .answers, audience: .loggedIn, takesText: true, isTalkToo: true,
            isForm: { line, _ in line.isMarked || line.typed == "ASK" },
            answer: { bot, speaker, arguments in bot.ask(speaker, arguments) }),
        Command(
            name: "SET", usage: "SET [<setting> <value or DEFAULT>]", summary: "shows or changes how you are answered",
            details: [
                "SET LISTEN all|addressed: whether every line of yours in a channel is a question, or only those that"
                    + " begin with my name. Channels that want my name keep to that.",
                "SET FORMAT irc|plain: with bold and italics, or text alone. Channels that want plain text get it.",
                "SET MODEL <name>: one of the AIs that SET shows, where it may be used.",
                "SET LANGUAGE <name>: what I answer in. SET LINES <number>: at most so many before MORE.",
            ],
            topic: .answers, audience: .loggedIn, isForm: { line, _ in PreferenceKey.isMeant(by: line.arguments) },
            answer: { bot, speaker, words in bot.set(speaker, words) }),
        Command(
            name: "PERSONA", usage: "PERSONA [<text or OFF>]",
            summary: "shows or changes what the AI is to be like for you",
            details: ["Write PERSONA in capitals, or with a sign before it: PERSONA a patient teacher of Latin"],
            topic: .answers, audience: .loggedIn, takesText: true,
            isOffered: { bot, _ in bot.settings.maxPersonaLength > 0 },
            isForm: { line, _ in
                line.isMarked || line.typed == "PERSONA"
                    || (line.arguments.count == 1 && line.arguments[0].uppercased() == "OFF")
            }, answer: { bot, speaker, words in bot.persona(speaker, words) }),
    ]

    static let history: [Command] = [
        Command(
            name: "HISTORY", usage: "HISTORY [count]",
            summary: "shows your last exchanges, whole, to you alone",
            details: ["Up to \(maxHistoryCount), oldest first; \(usualHistory) if you name no number. STOP ends it."],
            topic: .history, audience: .loggedIn, isForm: isNumber,
            answer: { bot, speaker, arguments in bot.history(speaker, arguments) }),
        Command(
            name: "MORE", usage: "MORE [number]", summary: "shows what is left of the latest long answer",
            details: [
                "A page at a time, to you alone, also days later; then what is left of earlier answers, and answers that"
                    + " could not be said when they came. With a number, of that answer."
            ],
            topic: .history, audience: .loggedIn, isForm: isNumber,
            answer: { bot, speaker, arguments in bot.more(speaker, arguments) }),
        Command(
            name: "USAGE", usage: "USAGE", summary: "shows what you asked today, and what you may ask",
            details: ["Days are those of UTC. Tokens are what the AI counts; one is about four letters of English."],
            topic: .history, audience: .loggedIn, answer: { bot, speaker, _ in bot.usage(speaker) }),
    ]

    /// For a channel's operators.
    static let channel: [Command] = [
        Command(
            name: "QUIET", usage: "QUIET [#channel]", summary: "silences me in a channel, if you are an operator there",
            details: ["Say it there, as: bot: quiet. It holds, also after a restart, until an operator says RESUME."],
            topic: .channel, audience: .anyone, isForm: isChannel,
            answer: { bot, speaker, words in bot.setQuiet(true, speaker, words) }),
        Command(
            name: "RESUME", usage: "RESUME [#channel]", summary: "lets me speak again where QUIET silenced me",
            details: ["For operators of the channel; say it there, as: bot: resume"],
            topic: .channel, audience: .anyone, isForm: isChannel,
            answer: { bot, speaker, words in bot.setQuiet(false, speaker, words) }),
    ]

    private static let isNumber: @Sendable (TypedLine, Bool) -> Bool = { line, _ in
        line.arguments.count == 1 && Int(line.arguments[0]) != nil
    }

    private static let isChannel: @Sendable (TypedLine, Bool) -> Bool = { line, _ in
        line.arguments.count == 1 && line.arguments[0].first == "#"
    }
}
