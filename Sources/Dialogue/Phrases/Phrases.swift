import Domain
import Runtime

/// What the bot says of itself, all of it: plain, short, and with what to do next. `bot` is the bot's own nick.
enum Phrases {
    // MARK: Starting

    static func howToStart(_ bot: Nick, isRegistrationOpen: Bool, sharesChannel: Bool) -> [String] {
        var lines = ["I answer people who are logged in. If you have an account: /msg \(bot) LOGIN <password>"]
        if isRegistrationOpen {
            lines.append("If you have none yet: /msg \(bot) REGISTER <password> <e-mail>  Then just ask here.")
        }
        if !sharesChannel {
            lines.append("First join a channel where I am: not every network lets me log you in while we share none.")
        }
        return lines
    }

    static func secretInPublic(_ channel: ChannelName, _ bot: Nick) -> [String] {
        [
            "That looked like a password, and everyone in \(channel) could read it. I did not pass it on or keep it.",
            "If it was one, it is no longer secret: do not use it again, here or anywhere else. Commands with passwords"
                + " go to me in private: /msg \(bot) HELP  If it was a question, put it in other words.",
        ]
    }

    static func secretInPrivate(_ bot: Nick) -> [String] {
        [
            "That looked like a command with a password, and I know none like it. To log in: /msg \(bot) LOGIN <password>"
                + "  If it was a question, put it in other words."
        ]
    }

    static func ownPasswordInPrivate(_ bot: Nick) -> [String] {
        [
            "Your password was in that line, so I did not pass it on or keep it. If you wanted to log in:"
                + " /msg \(bot) LOGIN <password>"
        ]
    }

    static let couldNotLook = [
        "I am too busy to take that line just now, and did not pass it on. Say it again in a moment."
    ]

    static func wrongForm(_ command: Command, _ bot: Nick) -> [String] {
        [
            "That looks like my command \(command.name), which goes like this: /msg \(bot) \(command.usage)",
            "If it was a question, put ASK before it.",
        ]
    }

    /// Words that people try because other services have them; nil for everything else.
    static func noSuchCommand(_ line: TypedLine, _ bot: Nick) -> [String]? {
        guard line.arguments.count <= 3 else { return nil }
        switch line.word {
        case "EXPORT":
            return [
                "I have no EXPORT. /msg \(bot) HISTORY 50 shows your last 50 exchanges. If it was a question, put ASK before it."
            ]
        case "FORGET":
            return [
                "I have no FORGET. NEW begins a new conversation, and DROP <password> deletes your account with all that is kept."
                    + " If it was a question, put ASK before it."
            ]
        default: return nil
        }
    }

    static func unknownCommand(_ bot: Nick) -> [String] {
        ["I know no such command. /msg \(bot) HELP lists those I know."]
    }

    static func notLoggedIn(_ bot: Nick) -> [String] {
        ["You are not logged in. To log in: /msg \(bot) LOGIN <password>"]
    }

    // MARK: Registering

    static let registrationClosed = [
        "Registration is closed here. Ask the operator of this bot for an account."
    ]

    static func missing(_ parts: [String], _ usage: String, _ bot: Nick) -> [String] {
        ["Missing: \(parts.joined(separator: " and ")). Usage: /msg \(bot) \(usage)"]
    }

    static func cannotRegister(_ problem: Registration.Problem, _ usage: String, _ bot: Nick) -> [String] {
        let reason =
            switch problem {
            case .spaces: "Passwords have no spaces, and I see several words before the e-mail address."
            case .quotes: "Leave out the quotes or brackets around the password, so that it is clear what it is."
            case .noAddress(let word): "\(word) is no e-mail address."
            }
        return ["\(reason) Nothing was made. Usage: /msg \(bot) \(usage)"]
    }

    static func tooManyWords(_ usage: String, _ bot: Nick) -> [String] {
        ["Those are too many words: neither names nor passwords have spaces. Usage: /msg \(bot) \(usage)"]
    }

    static func notAnAccountName(_ nick: Nick, suggestion: String, _ bot: Nick) -> [String] {
        let lengths = AccountName.lengths
        return [
            "Accounts are named after the nick, with \(lengths.lowerBound) to \(lengths.upperBound) letters, digits, _ or -,"
                + " and \(nick) is not such a name. Change your nick, for example /nick \(suggestion), and say REGISTER again.",
            "Afterwards you may use any nick: /msg \(bot) LOGIN \(suggestion) <password>",
        ]
    }

    static func tooShort(_ minimum: Int) -> [String] {
        ["That password is too short: it needs at least \(minimum) characters. Choose a longer one."]
    }

    static func tooLong(_ maximum: Int) -> [String] {
        ["That password is too long: at most \(maximum) bytes. Choose a shorter one."]
    }

    static let unsuitable = [
        "That password has a character that cannot be seen or does not exist, so you could not be sure to type it again."
            + " Choose another. Nothing was done."
    ]

    /// Bytes that are no UTF-8 tell nothing of the letters they were meant for: any others would be the same password.
    static func garbledPassword(_ bot: Nick) -> [String] {
        [
            "Your client does not send UTF-8, so I cannot tell which password that is. Nothing was done. Set your client to"
                + " UTF-8, or take a password of plain letters and digits; then say it again: /msg \(bot) HELP LOGIN"
        ]
    }

    static let passwordIsPublic = [
        "That password is your nick or your e-mail address, which everybody can guess. Choose another."
    ]

    static func nameTaken(_ name: AccountName, _ bot: Nick) -> [String] {
        [
            "The name \(name) is taken. If it is yours: /msg \(bot) LOGIN \(name) <password>"
                + "  If not, change your nick and say REGISTER again."
        ]
    }

    static func emailTaken(_ bot: Nick) -> [String] {
        [
            "That e-mail address is taken: it belongs to another account. If it is yours:"
                + " /msg \(bot) LOGIN <e-mail> <password>"
        ]
    }

    static func registered(_ name: AccountName) -> [String] {
        ["Registered: your account is \(name), and you are logged in. Ask me anything, in a channel or here."]
    }

    static func registeredOnly(_ name: AccountName, _ bot: Nick) -> [String] {
        [
            "Registered: your account is \(name). You are not logged in, since we share no channel:"
                + " join one where I am, then /msg \(bot) LOGIN <password>"
        ]
    }

    static func alreadyLoggedIn(_ name: AccountName, _ bot: Nick) -> [String] {
        ["You are logged in as \(name) and need no other account. To change accounts, first: /msg \(bot) LOGOUT"]
    }

    // MARK: Logging in and out

    static let sharesNoChannel = [
        "I cannot log you in: we share no channel, so I would not see you leave, and somebody else could take your nick.",
        "Join a channel where I am, then say LOGIN again. Nothing was checked.",
    ]

    static func loggedIn(_ name: AccountName) -> [String] {
        ["You are logged in as \(name). Ask me anything, in a channel or here."]
    }

    /// The same for an unknown name and for a wrong password.
    static func wrong(isNamed: Bool, _ bot: Nick) -> [String] {
        let cure =
            isNamed ? "" : " Is your account named differently than your nick? /msg \(bot) LOGIN <account> <password>"
        return ["Wrong account or password.\(cure)"]
    }

    static func nameTheAccount(_ bot: Nick) -> [String] {
        ["Your nick is no account name, so say which account: /msg \(bot) LOGIN <account> <password>"]
    }

    static func tooManyGuesses(_ wait: Duration) -> [String] {
        ["Too many wrong passwords. Nothing was checked; try again in \(duration(wait))."]
    }

    static let passwordsBusy = [
        "Too many people are logging in or registering at this moment. Nothing was checked; try again in a few seconds."
    ]

    static func loggedOut(_ name: AccountName, _ bot: Nick) -> [String] {
        ["You are logged out of \(name). To come back: /msg \(bot) LOGIN <password>"]
    }

    static func cutLogin(_ cut: CutLogin, _ bot: Nick) -> [String] {
        let reason = cut.isByRestart ? "I restarted" : "I lost my connection"
        return ["\(reason), which ended your login. To log in again: /msg \(bot) LOGIN \(cut.account) <password>"]
    }

    static func whoAmINobody(_ bot: Nick, isRegistrationOpen: Bool) -> [String] {
        let register = isRegistrationOpen ? "  or, without an account, /msg \(bot) REGISTER <password> <e-mail>" : ""
        return ["You are not logged in. To log in: /msg \(bot) LOGIN <password>\(register)"]
    }

    /// Nil where there is nobody to tell.
    static func ended(_ login: EndedLogin, _ bot: Nick) -> [String]? {
        let name = login.account.name
        let again = "To log in again: /msg \(bot) LOGIN"
        switch login.reason {
        case .gone, .nickTaken, .loggedOut:
            return nil
        case .endedElsewhere:
            return ["This login to \(name) was ended from another one. \(again) <password>"]
        case .passwordChanged:
            return ["The password of \(name) was changed, so you are logged out. \(again) <new password>"]
        case .closed:
            return ["The operator closed your login to \(name) or changed its password. \(again) <password>"]
        case .deleted:
            return ["The account \(name) was deleted from another login, and everything kept with it."]
        case .outOfSight:
            return ["You left the last channel we share, so you are logged out of \(name): I would not see you leave."]
        case .addressChanged:
            return [
                "Your address is not the one you logged in from, so you are logged out of \(name). \(again) <password>"
            ]
        case .servicesAccountChanged:
            return ["Your services account changed, so you are logged out of \(name). \(again) <password>"]
        case .idle:
            return ["You said nothing for a long time, so you are logged out of \(name). \(again) <password>"]
        case .expired:
            return ["Your login has reached its time limit, so you are logged out of \(name). \(again) <password>"]
        case .crowdedOut:
            return [
                "\(name) logged in elsewhere, once more than I allow, so this oldest login is over. \(again) <password>"
            ]
        }
    }

    // MARK: Asking

    static func ownQueueFull(_ waiting: Int) -> [String] {
        ["You have \(waiting) questions waiting already. I did not take this one: ask again when I have answered."]
    }

    static func linesNotTaken(_ count: Int) -> [String] {
        ["\(counted(count, "line")) of yours not taken: too many came at once. Say what still matters again."]
    }

    static let channelQueueFull = [
        "Too many questions from this channel are waiting just now. I did not take yours; try again in a minute."
    ]
    static let allQueuesFull = ["Too many questions are waiting just now. I did not take yours; try again in a minute."]
    static let windingDown = ["I am about to stop. I did not take your question; ask again when I am back."]
    static let repliesLikeABot = [
        "You reply as fast as a bot would, so I take no question of yours for a minute."
            + " If you are a person: just wait."
    ]
    static let storeFailed = ["I cannot keep records at the moment, so I did nothing. Try again in a few minutes."]
    static let answerWaits = [
        "Your answer is there, but I cannot keep records at the moment. I will give it to you as soon as I can."
    ]
    static let answerLost = [
        "I cannot keep records at the moment, so there is no answer to your question. Ask again in a few minutes."
    ]
    static let nothingToShow = "The answer has nothing in it that can be shown here."
    static let cut = "[The answer ends here: it reached its length limit.]"

    static func more(_ bot: Nick) -> String { "… {n} more: /msg \(bot) MORE" }

    static func undelivered(_ number: Int, _ bot: Nick) -> [String] {
        ["The answer to your question \(number) could not be said there. It is kept: /msg \(bot) MORE"]
    }

    static func failure(_ failure: CompletionFailure) -> String {
        switch failure.kind {
        case .unreachable: "The AI cannot be reached at the moment. Try again in a few minutes."
        case .timedOut: "The AI took too long to answer. Try again, perhaps with a shorter question."
        case .rateLimited:
            "The AI is getting too many questions at the moment. Try again in "
                + (failure.retryAfter.map(duration) ?? "a minute") + "."
        case .quotaExhausted: "The operator's allowance at the AI is used up. Please tell the operator."
        case .unauthorized: "The AI does not accept this bot's key. Please tell the operator."
        case .notFound: "The AI does not know the model this bot asks for. Please tell the operator."
        case .tooLong: "That is too long for the AI. Ask something shorter."
        case .filtered: "The AI's provider refused this question or its answer. Ask in other words."
        case .unavailable: "The AI is out of order or overloaded. Try again in a few minutes."
        case .rejected: "The AI did not accept this question. Ask in other words, or tell the operator."
        case .malformed: "The AI sent something that is not an answer. Try again."
        case .interrupted:
            "The connection to the AI broke in the middle of the answer."
                + (failure.partial.isEmpty ? " Try again." : " What came of it is kept: see HISTORY.")
        case .empty: "The AI gave an empty answer. Ask in other words."
        case .oversized: "The AI's answer was too large to take. Ask for less."
        case .cancelled: "Your question was stopped before it was answered."
        }
    }

    static let stopped = "I was stopped before your question was answered. Ask again when I am back."

    // MARK: Reading back

    static let noHistory = ["You have asked nothing yet."]

    static func historyCount(_ most: Int, _ bot: Nick) -> [String] {
        ["HISTORY takes a number from 1 to \(most): /msg \(bot) HISTORY 5"]
    }

    static func historyOpening(_ count: Int) -> String {
        count == 1 ? "Your last exchange:" : "Your last \(count) exchanges, oldest first:"
    }

    static let historyEnd = "End of history."
    static let historyStopped = ["Stopped reading back."]

    static func state(_ exchange: Exchange) -> String? {
        switch exchange.state {
        case .answered: nil
        case .pending: "(the answer is not there yet)"
        case .undelivered: "(this answer could not be said when it came)"
        case .failed: exchange.answer == nil ? "(there was no answer)" : "(the answer broke off here)"
        case .interrupted:
            exchange.isStopped ? "(you stopped this answer)" : "(I was stopped before the answer was complete)"
        }
    }

    static func interrupted(_ exchange: Exchange, _ bot: Nick) -> String {
        let place = exchange.channel.map { "in \($0)" } ?? "in private"
        let rest = exchange.answer == nil ? "" : " What had come of it is kept: /msg \(bot) MORE \(exchange.number)"
        return "I was stopped before I could answer your question \(exchange.number) of \(exchange.askedAt), \(place)."
            + " If you still want an answer, please ask it again.\(rest)"
    }

    // MARK: Words

    /// `1 question`, `2 questions`.
    static func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

    /// `40 seconds`, `3 minutes`: rounded up, so that the wait is over when it says so.
    static func duration(_ wait: Duration) -> String {
        let seconds = max(1, Int(wait.whole(1000)))
        if seconds == 1 { return "1 second" }
        if seconds <= 90 { return "\(seconds) seconds" }
        if seconds <= 90 * 60 { return "\(wait.whole(60_000)) minutes" }
        if seconds <= 48 * 3600 { return "\(wait.whole(3_600_000)) hours" }
        return "\(wait.whole(86_400_000)) days"
    }
}

extension Duration {
    /// In units of so many milliseconds, a part of one counting as one.
    func whole(_ unit: Int64) -> Int64 { wholeMilliseconds / unit + (wholeMilliseconds % unit > 0 ? 1 : 0) }
}
