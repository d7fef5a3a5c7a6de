import Domain

/// One thing people can tell the bot to do, by private message.
struct Command: Sendable {
    let name: String
    let usage: String
    /// One line for HELP.
    let summary: String
    /// Further lines for `HELP <command>`.
    let details: [String]
    let needsLogin: Bool
    /// For administrators; in no channel, and not in HELP.
    var isPrivate = false
    let answer: @Sendable (isolated Bot, Speaker, [String]) -> [Work]

    /// All of them, in the order of HELP, which is printed from here.
    static let all = accounts + ownAccount + conversation + [help]

    private static let accounts: [Command] = [
        Command(
            name: "REGISTER", usage: "REGISTER <password> <e-mail> [first name] [last name]",
            summary: "makes you an account named after your nick",
            details: [
                "The e-mail address may also come first. Names are optional. You are logged in at once if we share a channel."
            ],
            needsLogin: false, answer: { bot, speaker, arguments in bot.register(speaker, arguments) }),
        Command(
            name: "LOGIN", usage: "LOGIN [account or e-mail] <password>",
            summary: "logs you in; without a name, to the account named after your nick",
            details: [
                "You stay logged in, also when you change your nick, until you leave the last channel we share,"
                    + " or say LOGOUT.",
                "Not every network lets me log you in while we share none; where one does, a change of nick ends it too.",
            ],
            needsLogin: false, answer: { bot, speaker, arguments in bot.logIn(speaker, arguments) }),
        Command(
            name: "LOGOUT", usage: "LOGOUT", summary: "logs you out",
            details: ["What you say is not answered any more, and answers under way are kept for HISTORY."],
            needsLogin: true, answer: { bot, speaker, _ in bot.logOut(speaker) }),
        Command(
            name: "WHOAMI", usage: "WHOAMI", summary: "says who you are to me",
            details: ["The account, since when, and from where."],
            needsLogin: false, answer: { bot, speaker, _ in bot.whoAmI(speaker) }),
        Command(
            name: "HISTORY", usage: "HISTORY [count]",
            summary: "shows your last exchanges, whole, to you alone",
            details: ["Up to \(longestHistory), oldest first; \(usualHistory) if you name no number. STOP ends it."],
            needsLogin: true, answer: { bot, speaker, arguments in bot.history(speaker, arguments) }),
    ]

    private static let help = Command(
        name: "HELP", usage: "HELP [command or topic]", summary: "shows what you can tell me, or more about one of it",
        details: ["Everything else you tell me in private is a question, if you are logged in."],
        needsLogin: false, answer: { bot, speaker, arguments in bot.help(speaker, arguments) })

    static let longestHistory = 50
    static let usualHistory = 5

    /// Meant to be followed by a password.
    var takesPassword: Bool { ["REGISTER", "LOGIN", "PASSWORD", "EMAIL", "DROP", "RESET", "LINK"].contains(name) }

    /// Followed by a text, of several lines perhaps.
    var takesText: Bool { name == "ASK" || name == "PERSONA" }

    /// Takes somebody from whom the bot would learn when they leave.
    var logsIn: Bool { name == "REGISTER" || name == "LOGIN" }

    static func named(_ word: String) -> Command? {
        let name = synonyms[word] ?? word
        return all.first { $0.name == name }
    }

    /// What services of networks taught people to say.
    private static let synonyms = [
        "LOGON": "LOGIN", "SIGNIN": "LOGIN", "IDENTIFY": "LOGIN", "ID": "LOGIN", "AUTH": "LOGIN",
        "AUTHENTICATE": "LOGIN",
        "SIGNUP": "REGISTER", "SETPASSWORD": "PASSWORD", "SETPASS": "PASSWORD", "CHPASS": "PASSWORD",
        "CHANGEPASSWORD": "PASSWORD", "PASSWD": "PASSWORD",
    ]

    static func usage(of name: String) -> String { named(name)?.usage ?? name }
}
