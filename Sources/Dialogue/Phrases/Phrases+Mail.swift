import Accounts
import Domain

/// What is said about e-mail; the letters themselves are in `Accounts/Letters`.
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

    static func verification(_ mail: VerificationMail, _ bot: Nick) -> [String] {
        switch mail {
        case .sent(let email): verificationSent(email, bot)
        case .noEmail: noEmail(bot)
        case .cannotBeMailed: emailCannotBeMailed(bot)
        case .notSent: verificationNotSent
        }
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
}
