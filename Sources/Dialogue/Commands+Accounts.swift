import Domain

extension Command {
    /// About one's own account.
    static let ownAccount: [Command] = [
        Command(
            name: "PASSWORD", usage: "PASSWORD <old> <new>", summary: "changes your password",
            details: ["All other logins of your account end with it."],
            needsLogin: false, answer: { bot, speaker, words in bot.changePassword(speaker, words) }),
        Command(
            name: "EMAIL", usage: "EMAIL [<new address> <password>]", summary: "shows or changes your e-mail address",
            details: ["It is shown to nobody but you, and you may LOGIN with it in place of the account's name."],
            needsLogin: true, answer: { bot, speaker, words in bot.email(speaker, words) }),
        Command(
            name: "PROFILE", usage: "PROFILE [NAME [first name] [last name]]", summary: "shows or changes your name",
            details: ["PROFILE NAME without a name takes it out."],
            needsLogin: true, answer: { bot, speaker, words in bot.profile(speaker, words) }),
        Command(
            name: "SESSIONS", usage: "SESSIONS [END <number or ALL>]",
            summary: "lists where you are logged in, or ends others",
            details: [
                "A new login is told to those that are there already. SESSIONS END ALL also ends what LINK did, everywhere."
            ],
            needsLogin: true, answer: { bot, speaker, words in bot.sessions(speaker, words) }),
        Command(
            name: "LINK", usage: "LINK <password>",
            summary: "ties your account at this network's services to your account here",
            details: [
                "From then on you are logged in to me as soon as you are logged in to services, without a password.",
                "UNLINK ends it on this network. A new password, and SESSIONS END ALL, end every link.",
            ],
            needsLogin: true, answer: { bot, speaker, words in bot.link(speaker, words) }),
        Command(
            name: "UNLINK", usage: "UNLINK", summary: "ends what LINK did on this network",
            details: ["From then on you LOGIN with your password here."],
            needsLogin: true, answer: { bot, speaker, _ in bot.unlink(speaker) }),
        Command(
            name: "RESET", usage: "RESET <account or e-mail>", summary: "sends you a code if you forgot your password",
            details: ["With the code from the mail: RESET <account> <code> <new password>"],
            needsLogin: false, answer: { bot, speaker, words in bot.reset(speaker, words) }),
        Command(
            name: "VERIFY", usage: "VERIFY [code]", summary: "proves your e-mail address with the code sent there",
            details: ["Without a code it sends you another one."],
            needsLogin: true, answer: { bot, speaker, words in bot.verify(speaker, words) }),
        Command(
            name: "ADMIN", usage: "ADMIN ACCOUNTS|DISABLE|ENABLE|LOGOUT|IGNORE|UNIGNORE …",
            summary: "is for administrators", details: [], needsLogin: true, isPrivate: true,
            answer: { bot, speaker, words in bot.admin(speaker, words) }),
        Command(
            name: "DROP", usage: "DROP <password>", summary: "deletes your account and everything kept with it",
            details: ["You are asked once more before anything is deleted."],
            needsLogin: true, answer: { bot, speaker, words in bot.drop(speaker, words) }),
    ]
}
