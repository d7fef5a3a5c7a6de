import Domain

/// What is said about e-mail, and the letters themselves.
extension Phrases {
    static let noMail = ["This bot sends no e-mail. If you forgot your password, ask its operator."]

    /// The same whether there is such an account or not.
    static func resetRequested(_ login: String, _ bot: Nick) -> [String] {
        [
            "If there is such an account and it has an e-mail address, a code is on its way there, or came in the last 5"
                + " minutes. It is good for 30 minutes: /msg \(bot) RESET <account> <code> <new password>"
        ]
    }

    static func resetUsage(_ bot: Nick) -> [String] {
        [
            "To get a code by e-mail: /msg \(bot) RESET <account or e-mail>  And with the code:"
                + " /msg \(bot) RESET <account> <code> <new password>"
        ]
    }

    static func tooManyResets(_ wait: Duration) -> [String] {
        ["That was asked too often from where you are. Nothing was sent; try again in \(duration(wait))."]
    }

    /// The same for an unknown account, a wrong code and one that is too old.
    static func codeIsWrong(_ bot: Nick) -> [String] {
        [
            "That code is not right, was used, or is more than 30 minutes old. Nothing was changed. For another one:"
                + " /msg \(bot) RESET <account or e-mail>"
        ]
    }

    static func registeredUnverified(_ name: AccountName) -> [String] {
        ["Registered: your account is \(name), and you are logged in."]
    }

    static let isVerified = ["Your e-mail address is verified already."]
    static let verified = ["Thank you: your e-mail address is verified. Ask me anything, in a channel or here."]

    static func verificationIsWrong(_ bot: Nick) -> [String] {
        ["That code is not right, or more than 30 minutes old. For another one: /msg \(bot) VERIFY"]
    }

    /// Anybody's own address, before anything is done.
    static let emailIsNotPlain = [
        "That e-mail address has a form that mail servers may take for something else. Use a plain one, like"
            + " alice@example.org. Nothing was done."
    ]

    static func emailCannotBeMailed(_ bot: Nick) -> [String] {
        [
            "Your e-mail address has a form to which I send no mail. Set a plain one, like alice@example.org:"
                + " /msg \(bot) EMAIL <address> <password>"
        ]
    }

    static func noEmail(_ bot: Nick) -> [String] {
        ["There is no e-mail address with your account: /msg \(bot) EMAIL <address> <password>"]
    }

    static func verificationSent(_ email: EmailAddress, _ bot: Nick) -> [String] {
        ["I sent a code to \(email.spelling), good for 30 minutes. Prove that you got it: /msg \(bot) VERIFY <code>"]
    }

    static let verificationNotSent = [
        "I could not send a mail to your address just now, or sent one a moment ago. Look for it, or try again in 5 minutes."
    ]

    static func mustVerify(_ bot: Nick) -> [String] {
        [
            "Before I answer, prove your e-mail address with the code I sent there: /msg \(bot) VERIFY <code>"
                + "  For another code: VERIFY. For another address: EMAIL <address> <password>"
        ]
    }

    // MARK: Letters

    static func resetLetter(_ name: AccountName, _ email: EmailAddress, _ code: String, _ bot: Nick) -> Letter {
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

    static func verifyLetter(_ name: AccountName, _ email: EmailAddress, _ code: String, _ bot: Nick) -> Letter {
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
    static func changedLetter(_ name: AccountName, _ email: EmailAddress, _ bot: Nick) -> Letter {
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

    static func linkedLetter(
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
