import Domain

/// What HELP says, and what newcomers are told.
extension Phrases {
    /// To somebody who is not logged in: at most five lines.
    static func helpToStart(_ bot: Nick, isRegistrationOpen: Bool, sendsMail: Bool) -> [String] {
        var lines = ["I am an AI bot. Once you are logged in, just ask: here in private, or in a channel where I am."]
        if isRegistrationOpen { lines.append("New here? /msg \(bot) REGISTER <password> <e-mail>") }
        lines.append("Been here before? /msg \(bot) LOGIN <account> <password>")
        if sendsMail { lines.append("Forgot your password? /msg \(bot) RESET <account or e-mail>") }
        lines.append("More: /msg \(bot) HELP ACCOUNT, or HELP ANSWERS, HELP HISTORY, HELP CHANNEL.")
        return lines
    }

    /// To somebody who is: at most eight. `account` are the commands about accounts that work here.
    static func help(_ bot: Nick, account: [String]) -> [String] {
        [
            "Just ask: here in private, or in a channel where I am. Anything that is no command is a question.",
            "Answers: STOP ends one, RETRY asks again, NEW begins a new conversation, ASK <text> asks anything at all.",
            "Looking back: MORE shows the rest of a long answer, HISTORY your last exchanges, USAGE what you asked today.",
            "Settings: SET and PERSONA change how I answer you.",
            "Account: \(account.joined(separator: ", ")).",
            "Channel operators: QUIET silences me there, RESUME lets me speak again.",
            "Say them to me in private: /msg \(bot) MORE. More about one: HELP MORE. By topic: HELP ACCOUNT, HELP ANSWERS,"
                + " HELP HISTORY, HELP CHANNEL.",
        ]
    }

    static func helpOn(_ topic: HelpTopic, _ bot: Nick) -> String {
        switch topic {
        case .account: "About your account; say these in private only, as: /msg \(bot) WHOAMI"
        case .answers: "About answers; say these here, or in a channel as: \(bot): STOP"
        case .history: "Reading back, to you alone; say these in private, as: /msg \(bot) MORE"
        case .channel: "In a channel I answer people who are logged in."
        }
    }

    static func helpInChannel(_ bot: Nick) -> [String] {
        [
            "Begin a line with my name, \(bot): why? Or end it so: why, \(bot)? In some channels each of your lines is a"
                + " question, unless it is for somebody else; SET LISTEN addressed changes that for you.",
            "What you paste, and the rest of a line too long, belongs to the question before it.",
        ]
    }

    static func isOff(_ command: String) -> [String] { ["\(command) is off here."] }

    /// To a newcomer who greets a channel.
    static func welcome(_ nick: Nick, _ bot: Nick, isRegistrationOpen: Bool) -> [String] {
        let register = isRegistrationOpen ? "New here? /msg \(bot) REGISTER <password> <e-mail>  " : ""
        return [
            "Hello \(nick)! I am an AI bot and answer questions there, once you are logged in.",
            "\(register)Been here before? /msg \(bot) LOGIN <account> <password>",
        ]
    }
}
