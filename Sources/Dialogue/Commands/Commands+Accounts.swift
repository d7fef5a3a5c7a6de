import Accounts
import Domain

/// Commands about one's own account.
extension Command {
    static let account: [Command] =
        entering + keeping + [
            Command(
                name: "DROP", usage: "DROP <password>", summary: "deletes your account and everything kept with it",
                details: ["You are asked once more before anything is deleted."], topic: .account, audience: .loggedIn,
                takesPassword: true, isForm: { line, _ in line.arguments.count == 1 },
                answer: { bot, speaker, words in bot.drop(speaker, words) })
        ]

    private static let entering: [Command] = [
        Command(
            name: "REGISTER", synonyms: ["SIGNUP"], usage: "REGISTER <password> <e-mail> [first name] [last name]",
            summary: "makes you an account named after your nick",
            details: [
                "The e-mail address may also come first. Names are optional. You are logged in at once if we share a channel."
            ],
            topic: .account, audience: .anyone, isToStart: true, takesPassword: true, logsIn: true,
            isOffered: { bot, _ in bot.settings.registration == .open }, isForm: isSecretForm,
            answer: { bot, speaker, arguments in bot.register(speaker, arguments) }),
        Command(
            name: "LOGIN", synonyms: ["LOGON", "SIGNIN", "IDENTIFY", "ID", "AUTH", "AUTHENTICATE"],
            usage: "LOGIN [account or e-mail] <password>",
            summary: "logs you in; without a name, to the account named after your nick",
            details: [
                "You stay logged in, also when you change your nick, until you leave the last channel we share,"
                    + " or say LOGOUT.",
                "Not every network lets me log you in while we share none; where one does, a change of nick ends it too.",
            ],
            topic: .account, audience: .anyone, isToStart: true, takesPassword: true, logsIn: true,
            isForm: isSecretForm, answer: { bot, speaker, arguments in bot.logIn(speaker, arguments) }),
        Command(
            name: "LOGOUT", usage: "LOGOUT", summary: "logs you out",
            details: ["What you say is not answered any more, and answers under way are kept for HISTORY."],
            topic: .account, audience: .loggedIn, answer: { bot, speaker, _ in bot.logOut(speaker) }),
        Command(
            name: "WHOAMI", usage: "WHOAMI", summary: "says who you are to me",
            details: ["The account, since when, and from where."], topic: .account, audience: .anyone,
            answer: { bot, speaker, _ in bot.whoAmI(speaker) }),
        Command(
            name: "PASSWORD", synonyms: ["SETPASSWORD", "SETPASS", "CHPASS", "CHANGEPASSWORD", "PASSWD"],
            usage: "PASSWORD <old> <new>", summary: "changes your password",
            details: ["All other logins of your account end with it."], topic: .account, audience: .anyone,
            takesPassword: true, isForm: isSecretForm,
            answer: { bot, speaker, words in bot.changePassword(speaker, words) }),
        Command(
            name: "RESET", usage: "RESET <account or e-mail>", summary: "sends you a code if you forgot your password",
            details: ["With the code from the mail: RESET <account> <code> <new password>"], topic: .account,
            audience: .anyone, isToStart: true, takesPassword: true, isOffered: { bot, _ in bot.desk.mailroom.isOpen },
            isForm: { line, isLoggedIn in
                (line.arguments.count == 1 && !isLoggedIn) || line.secrecy() == .certain
            },
            passwordReading: { _, line, isName in
                let first = line.arguments[0]
                let isNamed = isName(first) || line.isShouted || first.contains("@")
                return line.secrecy() == .certain || line.arguments.count == 1 && isNamed ? .meant : .talk
            },
            answer: { bot, speaker, words in bot.reset(speaker, words) }),
    ]

    private static let keeping: [Command] = [
        Command(
            name: "EMAIL", usage: "EMAIL [<new address> <password>]", summary: "shows or changes your e-mail address",
            details: ["It is shown to nobody but you, and you may LOGIN with it in place of the account's name."],
            topic: .account, audience: .loggedIn, takesPassword: true,
            isForm: { line, _ in line.secrecy() == .certain },
            passwordReading: { command, line, isName in
                let reading = command.usualPasswordReading(line, isName)
                return reading == .talk && line.arguments.count == 1 && !command.hasForm(line, isName)
                    ? .wrongForm : reading
            },
            answer: { bot, speaker, words in bot.email(speaker, words) }),
        Command(
            name: "VERIFY", usage: "VERIFY [code]", summary: "proves your e-mail address with the code sent there",
            details: ["Without a code it sends you another one."], topic: .account, audience: .loggedIn,
            isOffered: { bot, _ in bot.desk.mailroom.isOpen }, isForm: { line, _ in line.arguments.count == 1 },
            answer: { bot, speaker, words in bot.verify(speaker, words) }),
        Command(
            name: "PROFILE", usage: "PROFILE [NAME [first name] [last name]]", summary: "shows or changes your name",
            details: ["PROFILE NAME without a name takes it out."], topic: .account, audience: .loggedIn,
            isForm: { line, _ in line.arguments[0].uppercased() == "NAME" && line.arguments.count <= 4 },
            answer: { bot, speaker, words in bot.profile(speaker, words) }),
        Command(
            name: "SESSIONS", usage: "SESSIONS [END <number or ALL>]",
            summary: "lists where you are logged in, or ends others",
            details: [
                "A new login is told to those that are there already. SESSIONS END ALL also ends what LINK did, everywhere."
            ],
            topic: .account, audience: .loggedIn,
            isForm: { line, _ in line.arguments[0].uppercased() == "END" && line.arguments.count <= 2 },
            answer: { bot, speaker, words in bot.sessions(speaker, words) }),
        Command(
            name: "LINK", usage: "LINK <password>",
            summary: "ties your account at this network's services to your account here",
            details: [
                "From then on you are logged in to me as soon as you are logged in to services, without a password.",
                "UNLINK ends it on this network. A new password, and SESSIONS END ALL, end every link.",
            ],
            topic: .account, audience: .loggedIn, takesPassword: true, isOffered: trustsServices,
            passwordReading: { _, line, _ in
                let count = line.arguments.count
                return count == 1 ? .meant : count <= Command.fewWords ? .wrongForm : .talk
            },
            answer: { bot, speaker, words in bot.link(speaker, words) }),
        Command(
            name: "UNLINK", usage: "UNLINK", summary: "ends what LINK did on this network",
            details: ["From then on you LOGIN with your password here."], topic: .account, audience: .loggedIn,
            isOffered: trustsServices, answer: { bot, speaker, _ in bot.unlink(speaker) }),
    ]

    static let admin = Command(
        name: "ADMIN", usage: "ADMIN ACCOUNTS|DISABLE|ENABLE|LOGOUT|IGNORE|UNIGNORE …",
        summary: "is for administrators", audience: .administrators,
        isForm: { line, _ in AdminAction.verbs.contains(line.arguments[0].uppercased()) },
        answer: { bot, speaker, words in bot.admin(speaker, words) })

    private static let trustsServices: @Sendable (isolated Bot, Speaker) -> Bool = { bot, speaker in
        bot.settings.trustedNetworks.contains(speaker.connection.network)
    }

    /// Whoever is not logged in can mean nothing else.
    private static let isSecretForm: @Sendable (TypedLine, Bool) -> Bool = { line, isLoggedIn in
        !isLoggedIn || line.secrecy() == .certain
    }
}
