import Domain
import Storage

/// What administrators hear, and what is said about services accounts.
extension Phrases {
    static func adminUsage(_ bot: Nick) -> [String] {
        [
            "For administrators: /msg \(bot) ADMIN ACCOUNTS [part of a name], DISABLE <account>, ENABLE <account>,"
                + " LOGOUT <account>, IGNORE <account or nick!user@host> [30m, 12h or 7d], UNIGNORE <the same>"
        ]
    }

    static let notAnAdministrator = [
        "You are not an administrator. The operator makes one: confab account admin NAME on"
    ]
    static let notYourself = ["That would close your own account. Nothing was done."]
    static let inPrivateOnly = ["Say that to me in private: everyone can read it here. Nothing was done."]

    static func noSuchAccount(_ name: AccountName) -> [String] { ["There is no account \(name). Nothing was done."] }

    static func adminDone(_ words: String) -> [String] { [words] }

    static func adminAccounts(_ records: [AccountRecord], of count: Int, logins: (AccountID) -> Int) -> [String] {
        var lines = records.map { record in
            var marks = ["\(logins(record.account.id)) logins", "\(record.exchangeCount) exchanges"]
            if record.isAdministrator { marks.append("administrator") }
            if record.isDisabled { marks.append("disabled") }
            if record.isPasswordExposed { marks.append("password said in public") }
            return "\(record.account.name): \(marks.joined(separator: ", "))"
        }
        if count > records.count { lines.append("… and \(count - records.count) more; name a part of the name.") }
        return lines.isEmpty ? ["There is no such account."] : lines
    }

    static func unignored(_ pattern: String, wasThere: Bool, _ entries: [String]) -> [String] {
        let rest = entries.isEmpty ? "nobody" : entries.prefix(10).joined(separator: ", ")
        return ["\(wasThere ? "I listen to \(pattern) again." : "I did not ignore \(pattern).") Ignored now: \(rest)"]
    }

    // MARK: Services accounts

    static func isNotTrusted(_ network: NetworkName) -> [String] {
        ["LINK is off here: the operator of this bot does not rely on the services of \(network)."]
    }

    static func noServicesAccount(_ network: NetworkName, _ bot: Nick) -> [String] {
        [
            "\(network) shows me no services account of yours. Log in to services first (often: /msg NickServ IDENTIFY"
                + " <password>), then to me, and then: /msg \(bot) LINK <password>"
        ]
    }

    static func linkUsage(_ usage: String, _ bot: Nick) -> [String] {
        ["LINK takes the password of your account here. Usage: /msg \(bot) \(usage)"]
    }

    static func linkedElsewhere(
        _ name: AccountName, _ services: String, _ network: NetworkName, _ bot: Nick
    ) -> [String] {
        [
            "\(name) is linked from now on: whoever is logged in to services of \(network) as \(services) is logged in to it"
                + " without a password. If that was not you: /msg \(bot) SESSIONS END ALL  and then change your PASSWORD."
        ]
    }

    static func linked(_ name: AccountName, _ services: String, _ network: NetworkName) -> [String] {
        [
            "Linked: whoever is logged in to services of \(network) as \(services) is logged in to \(name) here, without a"
                + " password. UNLINK ends that."
        ]
    }

    static func unlinked(_ network: NetworkName, count: Int) -> [String] {
        [count == 0 ? "There is no link on \(network)." : "Unlinked: on \(network) you LOGIN with your password again."]
    }

    static func loggedInByServices(_ name: AccountName, _ services: String) -> [String] {
        ["You are logged in as \(name), by your services account \(services). Ask me anything, in a channel or here."]
    }
}
