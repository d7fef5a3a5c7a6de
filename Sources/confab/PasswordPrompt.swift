import Domain
import Glibc
import Runtime

/// Asks at the terminal, or reads what is piped in; a password is never part of a command line, which `ps` shows to all.
enum PasswordPrompt {
    struct Refusal: Error { let words: String }

    /// Twice without echo at a terminal, else the one line on standard input.
    static func newPassword(for name: AccountName, atLeast minimum: Int) throws(Refusal) -> Secret {
        let isTerminal = isatty(STDIN_FILENO) == 1
        let first = isTerminal ? hiddenLine("New password of \(name): ") : line("")
        guard let first, first.count >= minimum else {
            throw Refusal(words: "too short: it takes at least \(minimum) characters. Nothing was changed.")
        }
        guard !first.contains(where: \.isWhitespace) else {
            throw Refusal(words: "a password with spaces cannot be typed to the bot. Nothing was changed.")
        }
        if isTerminal, hiddenLine("Once more: ") != first {
            throw Refusal(words: "those were two different ones. Nothing was changed.")
        }
        return Secret(first)
    }

    /// One line of standard input, without its end; nil when there is none.
    static func line(_ question: String) -> String? {
        writeAll(Array(question.utf8), to: STDERR_FILENO)
        return readLine(strippingNewline: true)
    }

    /// Echo is off only while the line is typed (termios(3)); whatever was on before is on again.
    private static func hiddenLine(_ question: String) -> String? {
        var before = termios()
        unsafe tcgetattr(STDIN_FILENO, &before)
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            writeAll(Array("\n".utf8), to: STDERR_FILENO)
        }
        return line(question)
    }
}
