import Domain

extension Command {
    /// About one's own account; HELP names them in one line.
    static let ownAccount: [Command] = [
        Command(
            name: "PASSWORD", usage: "PASSWORD <old> <new>", summary: "changes your password",
            details: ["All other logins of your account end with it."],
            needsLogin: false, isListed: false, answer: { bot, speaker, words in bot.changePassword(speaker, words) }),
        Command(
            name: "EMAIL", usage: "EMAIL [<new address> <password>]", summary: "shows or changes your e-mail address",
            details: ["It is shown to nobody but you, and you may LOGIN with it in place of the account's name."],
            needsLogin: true, isListed: false, answer: { bot, speaker, words in bot.email(speaker, words) }),
        Command(
            name: "PROFILE", usage: "PROFILE [NAME [first name] [last name]]", summary: "shows or changes your name",
            details: ["PROFILE NAME without a name takes it out."],
            needsLogin: true, isListed: false, answer: { bot, speaker, words in bot.profile(speaker, words) }),
        Command(
            name: "SESSIONS", usage: "SESSIONS [END <number or ALL>]",
            summary: "lists where you are logged in, or ends others",
            details: ["A new login is told to those that are there already."],
            needsLogin: true, isListed: false, answer: { bot, speaker, words in bot.sessions(speaker, words) }),
        Command(
            name: "DROP", usage: "DROP <password>", summary: "deletes your account and everything kept with it",
            details: ["You are asked once more before anything is deleted."],
            needsLogin: true, isListed: false, answer: { bot, speaker, words in bot.drop(speaker, words) }),
    ]

    /// `isMeant` for those commands; what may hold a password is meant for them, everything else by its form only.
    func isAccountCommandMeant(by line: TypedLine, isLoggedIn: Bool) -> Bool {
        let words = line.arguments
        switch name {
        case "PASSWORD": return !isLoggedIn || line.carriesSecret
        case "EMAIL": return line.carriesSecret
        case "PROFILE": return words.first?.uppercased() == "NAME" && words.count <= 4
        case "SESSIONS": return words.first?.uppercased() == "END" && words.count <= 2
        case "DROP": return words.count == 1
        default: return false
        }
    }
}
