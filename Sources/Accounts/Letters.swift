import Domain

/// The letters that go to an account's e-mail address. `bot` is the nick that people write to.
extension Letter {
    static func reset(_ name: AccountName, _ email: EmailAddress, _ code: String, _ bot: Nick) -> Letter {
        Letter(
            to: email, subject: "A new password for \(name)",
            lines: [
                "Hello,", "",
                "somebody asked \(bot), the AI bot on IRC, for a new password for the",
                "account \(name), which has this e-mail address.", "",
                "If that was you, type this line in your IRC client, with a password",
                "of your choice at its end:", "",
                "    /msg \(bot) RESET \(name) \(code) <new password>", "",
                "The code is good for 30 minutes and for one time.", "",
                "If it was not you, do nothing: your password stays as it is, and",
                "nobody but you has read this code.",
            ])
    }

    static func verify(_ name: AccountName, _ email: EmailAddress, _ code: String, _ bot: Nick) -> Letter {
        Letter(
            to: email, subject: "Your e-mail address at \(bot)",
            lines: [
                "Hello,", "",
                "somebody gave this e-mail address to \(bot), the AI bot on IRC, for the",
                "account \(name).", "",
                "If that was you, type this line in your IRC client:", "",
                "    /msg \(bot) VERIFY \(code)", "",
                "The code is good for 30 minutes.", "",
                "If it was not you, do nothing: without the code the account cannot be",
                "used with your address.",
            ])
    }

    /// To the address that was; the new one is nobody's business there.
    static func changed(_ name: AccountName, _ email: EmailAddress, _ bot: Nick) -> Letter {
        Letter(
            to: email, subject: "Another e-mail address for \(name)",
            lines: [
                "Hello,", "",
                "the account \(name) at \(bot), the AI bot on IRC, had this e-mail address",
                "until now, and has another one from now on.", "",
                "If that was you, there is nothing to do.", "",
                "If it was not you, somebody knows your password. Change it at once in",
                "your IRC client, and set your address again:", "",
                "    /msg \(bot) LOGIN \(name) <password>",
                "    /msg \(bot) PASSWORD <old password> <new password>",
                "    /msg \(bot) EMAIL <address> <new password>", "",
                "If you cannot, ask the operator of the bot for help.",
            ])
    }

    static func linked(
        _ name: AccountName, _ email: EmailAddress, _ services: String, _ network: NetworkName, _ bot: Nick
    ) -> Letter {
        Letter(
            to: email, subject: "\(name) was linked to a services account",
            lines: [
                "Hello,", "",
                "the account \(name) at \(bot), the AI bot on IRC, was linked to an account",
                "at the services of \(network):", "",
                "    \(services)", "",
                "Whoever is logged in there as that is logged in to \(name) from now on,",
                "without a password.", "",
                "If that was you, there is nothing to do.", "",
                "If it was not you, somebody knows your password. Undo it and change your",
                "password at once in your IRC client:", "",
                "    /msg \(bot) LOGIN \(name) <password>",
                "    /msg \(bot) PASSWORD <old password> <new password>", "",
                "That ends every link and every other login.",
            ])
    }
}
