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
    static let fewWords = 3

    /// In private, to nobody but the bot: a command's word with few words behind it is never a question, so that a command
    /// remembered wrongly costs nothing and is put right. Where it could be a password that stands behind it, the form
    /// decides. `isName` is as in `TypedLine.secrecy`.
    func reading(inPrivate line: TypedLine, isLoggedIn: Bool, isName: (String) -> Bool) -> Reading {
        let count = line.arguments.count
        if count == 0 || (line.isMarked && count == 1) { return .meant }
        if takesPassword { return isLoggedIn ? passwordReading(self, line, isName) : .meant }
        if isMeant(by: line, isLoggedIn: isLoggedIn) { return .meant }
        return !isTalkToo && count <= Self.fewWords ? .wrongForm : .talk
    }

    func usualPasswordReading(_ line: TypedLine, _ isName: (String) -> Bool) -> Reading {
        let secrecy = line.secrecy(isName: isName)
        if secrecy == .certain { return .meant }
        guard secrecy == .possible, let form = SecretWord.forms[line.word] else { return .talk }
        let count = line.arguments.count
        // Another word than the command's own is one of talk as well: `id software`.
        if count > 1, line.word != name { return .talk }
        return form.words.contains(count) ? .meant : .talk
    }

    /// Whether a password may stand in it, as far as its form tells.
    func hasForm(_ line: TypedLine, _ isName: (String) -> Bool) -> Bool {
        line.secrecy(isName: isName) == .possible && SecretWord.forms[line.word] != nil
    }

    /// Among others, and so by its form only: `help me with Swift` and `history of Rome` are questions there.
    func isMeant(by line: TypedLine, isLoggedIn: Bool) -> Bool {
        let words = line.arguments
        return words.isEmpty || (line.isMarked && words.count == 1) || isForm(line, isLoggedIn)
    }
}
