import Accounts
import Domain
import Storage

/// What is said about accounts beyond REGISTER, LOGIN and LOGOUT.
extension Phrases {
    static func isUnderAnotherNick(_ nicks: [String]) -> [String] {
        [
            "I lost my nick and take no passwords until I have it again. Whoever is called"
                + " \(nicks.joined(separator: " or ")) now is not me: say no password there. Try again in a few minutes."
        ]
    }

    static func tooManyRegistrations(_ refusal: RegistrationRefusal) -> [String] {
        switch refusal {
        case .ofAddress(let most, let wait):
            let accounts = most == 1 ? "1 account" : "\(most) accounts"
            return [
                "\(accounts) an hour can be made from one address, and from yours that is reached. No account was made."
                    + " Try again in \(duration(wait))."
            ]
        case .ofAll(let wait):
            return [
                "Too many accounts are being made just now, by all people together. Yours was not. Try again in"
                    + " \(duration(wait))."
            ]
        case .ofAttempts(let wait):
            return ["You tried too many names. No account was made. Try again in \(duration(wait))."]
        }
    }

    static func whoAmI(
        _ login: Login, _ person: Person, _ network: NetworkName, ends: Duration, others: Int
    ) -> [String] {
        var lines = [
            "You are logged in as \(login.account.name) since \(login.since), as \(person.nick)!\(person.address)"
                + " on \(network)."
        ]
        let services = person.servicesAccount.map { "Your services account is \($0). " } ?? ""
        let elsewhere = others == 0 ? "nowhere else" : others == 1 ? "in 1 other place" : "in \(others) other places"
        lines.append("\(services)You are logged in \(elsewhere); this login ends in \(duration(ends)) at the latest.")
        return lines
    }

    // MARK: Passwords

    static func passwordUsage(_ usage: String, _ bot: Nick) -> [String] {
        ["That takes your present password and a new one, neither with spaces. Usage: /msg \(bot) \(usage)"]
    }

    static func newPasswordTooShort(_ minimum: Int) -> [String] {
        ["The new password is too short: it needs at least \(minimum) characters. Nothing was changed."]
    }

    static let newPasswordIsNone = [
        "The new password is your account's name or the old password. Choose another. Nothing was changed."
    ]

    static let oldPasswordIsWrong = ["That is not your present password. Nothing was changed."]
    static let wrongPassword = ["That is not your password. Nothing was changed."]

    static func passwordChanged(_ name: AccountName, isLoggedIn: Bool, endedLinks: Int) -> [String] {
        let links = endedLinks > 0 ? " What LINK did is undone too." : ""
        return [
            isLoggedIn
                ? "\(name) has a new password, and all its other logins are over. You are logged in.\(links)"
                : "\(name) has a new password, and all its logins are over. LOGIN with the new one.\(links)"
        ]
    }

    static func passwordExposed(_ name: AccountName, isLoggedIn: Bool, _ bot: Nick) -> [String] {
        let usage = isLoggedIn ? "PASSWORD <old> <new>" : "PASSWORD \(name) <old> <new>"
        return [
            "It was the password of \(name), and it opens nothing any more. Choose a new one now: /msg \(bot) \(usage)"
        ]
    }

    /// After the right password, so that it tells nothing to anybody else.
    static func passwordIsExposed(_ name: AccountName, isHome: Bool, _ bot: Nick) -> [String] {
        let exposed = "This password was said in a channel, so it opens nothing any more."
        if isHome {
            return [
                "\(exposed) Choose a new one, and you are logged in: /msg \(bot) PASSWORD \(name) <old> <new>"
            ]
        }
        return [
            "\(exposed) Change it where you are logged in, or from an address where you have logged in before:"
                + " /msg \(bot) PASSWORD \(name) <old> <new>  Otherwise RESET it by e-mail, or ask the operator."
        ]
    }

    static func isDisabled(_ name: AccountName) -> [String] {
        ["The account \(name) is closed. Ask the operator of this bot."]
    }

    static func news(_ news: LoginNews, _ bot: Nick) -> [String] {
        guesses(news.guesses, bot) + news.interrupted.map { interrupted($0, bot) }
    }

    static func guesses(_ failed: [FailedLogins], _ bot: Nick) -> [String] {
        let total = failed.reduce(0) { $0.addingSaturated(max(0, $1.count)) }
        guard total > 0, let last = failed.map(\.lastAt).max() else { return [] }
        let shown = failed.prefix(3).map { "\($0.host) on \($0.network) (\($0.count))" }
        let rest = failed.count > 3 ? " and \(failed.count - 3) more places" : ""
        let count = total == 1 ? "1 wrong password was" : "\(total) wrong passwords were"
        return [
            "\(count) tried for your account since your last login, the last on \(last), from"
                + " \(shown.joined(separator: ", "))\(rest). If that was not you: /msg \(bot) HELP PASSWORD"
        ]
    }

    // MARK: Profile

    static func email(_ account: Account, _ bot: Nick) -> [String] {
        let change = "To change it: /msg \(bot) EMAIL <new address> <password>"
        guard let email = account.email else { return ["There is no e-mail address with your account. \(change)"] }
        return ["Your e-mail address is \(email.spelling); nobody but you is shown it. \(change)"]
    }

    static func emailUsage(_ usage: String, _ bot: Nick) -> [String] {
        ["That takes a new e-mail address and your password. Usage: /msg \(bot) \(usage)"]
    }

    static func emailChanged(_ account: Account) -> [String] {
        ["Your e-mail address is now \(account.email?.spelling ?? "none")."]
    }

    static func profile(_ account: Account, _ bot: Nick) -> [String] {
        let names = [account.firstName, account.lastName].compactMap { $0 }.joined(separator: " ")
        return [
            "\(account.name), registered \(account.registeredAt), name: \(names.isEmpty ? "none" : names)."
                + " To change the name: /msg \(bot) PROFILE NAME [first name] [last name]"
        ]
    }

    static func dropUsage(_ usage: String, _ bot: Nick) -> [String] {
        ["That deletes your account, so it takes your password. Usage: /msg \(bot) \(usage)"]
    }

    static func confirmDrop(_ name: AccountName, exchanges: Int, _ code: String, _ bot: Nick) -> [String] {
        let kept = exchanges == 1 ? "1 exchange" : "\(exchanges) exchanges"
        return [
            "This deletes the account \(name) and its \(kept), for good. Nothing is deleted yet."
                + " To do it, within 5 minutes: /msg \(bot) DROP \(code)"
        ]
    }

    static func dropped(_ name: AccountName, exchanges: Int) -> [String] {
        let kept = exchanges == 1 ? "1 exchange" : "\(exchanges) exchanges"
        return ["The account \(name) and its \(kept) are deleted, and you are logged out. Good-bye."]
    }

    // MARK: Sessions

    static func sessions(_ visits: [Visit], own: VisitID, now: Duration, _ bot: Nick) -> [String] {
        var lines = visits.enumerated().compactMap { index, visit -> String? in
            guard let login = visit.login else { return nil }
            let mask = "\(visit.nick)!\(visit.person?.address ?? "?")"
            let heard = visit.id == own ? "this one" : "last heard \(duration(now - login.lastHeardAt)) ago"
            return "\(index + 1). \(mask) on \(visit.id.connection.network), since \(login.since), \(heard)"
        }
        lines.append(
            visits.count == 1
                ? "This is your only login."
                : "To end one: /msg \(bot) SESSIONS END <number>  or all others: SESSIONS END ALL")
        return lines
    }

    static func noSuchSession(_ bot: Nick) -> [String] {
        ["There is no such other login. /msg \(bot) SESSIONS lists them; LOGOUT ends this one."]
    }

    static func sessionsEnded(_ count: Int, links: Int) -> [String] {
        let logins = count == 0 ? "There was no other login." : "Ended \(count == 1 ? "1 login" : "\(count) logins")."
        return ["\(logins)\(links > 0 ? " What LINK did is undone." : "") You stay logged in here."]
    }

    static func alsoLoggedIn(_ name: AccountName, _ person: Person, _ network: NetworkName, _ bot: Nick) -> [String] {
        [
            "\(name) is now also logged in as \(person.nick)!\(person.address) on \(network). If that is not you:"
                + " /msg \(bot) SESSIONS END ALL  and then change your PASSWORD."
        ]
    }
}
