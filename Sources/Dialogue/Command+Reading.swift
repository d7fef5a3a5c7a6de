import Domain

/// Whether a line whose first word is a command's is meant for it.
extension Command {
    enum Reading: Sendable, Equatable {
        case meant
        /// It can be nothing else, and is not how the command goes: its sender is told how.
        case wrongForm
        /// A sentence that happens to open with the word.
        case talk
    }

    /// So many words behind a command's, in private, are no sentence.
    private static let fewWords = 3

    /// In private, to nobody but the bot: a command's word with few words behind it is never a question, so that a command
    /// remembered wrongly costs nothing and is put right. Where it could be a password that stands behind it, the form
    /// decides. `isName` is as in `TypedLine.secrecy`.
    func reading(inPrivate line: TypedLine, isLoggedIn: Bool, isName: (String) -> Bool) -> Reading {
        let count = line.arguments.count
        if count == 0 || (line.isMarked && count == 1) { return .meant }
        if takesPassword { return passwordReading(line, isLoggedIn: isLoggedIn, isName) }
        if isMeant(by: line, isLoggedIn: isLoggedIn) { return .meant }
        // `ask me a riddle` is asked as it stands, and anything at all behind it.
        return name != "ASK" && count <= Self.fewWords ? .wrongForm : .talk
    }

    private func passwordReading(_ line: TypedLine, isLoggedIn: Bool, _ isName: (String) -> Bool) -> Reading {
        guard isLoggedIn else { return .meant }
        let count = line.arguments.count
        if name == "LINK" { return count == 1 ? .meant : count <= Self.fewWords ? .wrongForm : .talk }
        if name == "RESET" {
            let isNamed = isName(line.arguments[0]) || line.isShouted || line.arguments[0].contains("@")
            return line.secrecy() == .certain || count == 1 && isNamed ? .meant : .talk
        }
        let secrecy = line.secrecy(isName: isName)
        if secrecy == .certain { return .meant }
        guard secrecy == .possible, let form = SecretWord.forms[line.word] else {
            return name == "EMAIL" && count == 1 ? .wrongForm : .talk
        }
        // Another word than the command's own is one of talk as well: `id software`.
        if count > 1, line.word != name { return .talk }
        return form.words.contains(count) ? .meant : .talk
    }

    /// Among others, and so by its form only: `help me with Swift` and `history of Rome` are questions there.
    func isMeant(by line: TypedLine, isLoggedIn: Bool) -> Bool {
        let words = line.arguments
        if words.isEmpty || (line.isMarked && words.count == 1) { return true }
        switch name {
        case "REGISTER", "LOGIN", "PASSWORD": return !isLoggedIn || line.secrecy() == .certain
        case "EMAIL": return line.secrecy() == .certain
        case "DROP": return words.count == 1
        case "RESET": return (words.count == 1 && !isLoggedIn) || line.secrecy() == .certain
        case "ASK": return line.isMarked || line.typed == "ASK"
        case "QUIET", "RESUME": return words.count == 1 && words[0].first == "#"
        case "SET": return PreferenceKey.isMeant(by: words)
        case "PERSONA":
            return line.isMarked || line.typed == "PERSONA" || (words.count == 1 && words[0].uppercased() == "OFF")
        case "HISTORY", "MORE": return words.count == 1 && Int(words[0]) != nil
        case "HELP":
            let isKnown = Self.named(words[0].uppercased()) != nil || HelpTopic(words[0]) != nil
            return words.count == 1 && (!isLoggedIn || isKnown)
        case "PROFILE": return words.first?.uppercased() == "NAME" && words.count <= 4
        case "SESSIONS": return words.first?.uppercased() == "END" && words.count <= 2
        case "VERIFY": return words.count == 1
        case "ADMIN": return AdminRequest.Action.verbs.contains(words[0].uppercased())
        default: return false
        }
    }
}
