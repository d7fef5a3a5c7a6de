import Domain

/// One thing people can tell the bot to do. Its entry says everything about it: HELP, the reading of lines and the look-out
/// for passwords are made from here.
struct Command: Sendable {
    enum Audience: Sendable {
        case anyone
        case loggedIn
        /// In no channel, and not in HELP.
        case administrators
    }

    let name: String
    /// Other words for it: what services of networks taught people to say.
    var synonyms: [String] = []
    let usage: String
    /// One line for HELP.
    let summary: String
    /// Further lines for `HELP <command>`.
    var details: [String] = []
    /// Where HELP lists it; nil for nowhere.
    var topic: HelpTopic?
    let audience: Audience
    /// For people who have yet to log in: `HELP ACCOUNT` lists it to them alone.
    var isToStart = false
    /// Meant to be followed by a password.
    var takesPassword = false
    /// Followed by a text, of several lines perhaps.
    var takesText = false
    /// Takes somebody from whom the bot would learn when they leave.
    var logsIn = false
    /// Anything at all may stand behind its word in a question, so that no form is called wrong.
    var isTalkToo = false
    /// Whether it does something here, for this person.
    var isOffered: @Sendable (isolated Bot, Speaker) -> Bool = { _, _ in true }
    /// Whether words behind its own are its form and no talk; the second says whether their speaker is logged in.
    var isForm: @Sendable (TypedLine, Bool) -> Bool = { _, _ in false }
    /// How a private line of somebody logged in is read where it takes a password; the last is as in `TypedLine.secrecy`.
    var passwordReading: @Sendable (Command, TypedLine, (String) -> Bool) -> Reading = {
        $0.usualPasswordReading($1, $2)
    }
    let answer: @Sendable (isolated Bot, Speaker, [String]) -> [Work]

    /// All of them, in the order of HELP.
    static let all = account + answers + history + channel + [admin, help]

    private static let help = Command(
        name: "HELP", usage: "HELP [command or topic]", summary: "shows what you can tell me, or more about one of it",
        details: ["Everything else you tell me in private is a question, if you are logged in."], audience: .anyone,
        isForm: { line, isLoggedIn in
            let word = line.arguments[0]
            let isKnown = Command.named(word.uppercased()) != nil || HelpTopic(word) != nil
            return line.arguments.count == 1 && (!isLoggedIn || isKnown)
        },
        answer: { bot, speaker, arguments in bot.help(speaker, arguments) })

    static let maxHistoryCount = 50
    static let usualHistory = 5

    static func named(_ word: String) -> Command? { byWord[word] }

    private static let byWord = Dictionary(
        all.flatMap { command in ([command.name] + command.synonyms).map { ($0, command) } }
    ) { first, _ in first }

    static func usage(of name: String) -> String { named(name)?.usage ?? name }
}
