import Domain

/// Passwords typed where everybody reads them.
///
/// The rule, which errs on the side of secrecy: a line carries a password if its first word is one of those below and not
/// more words follow than such a command can have; more are allowed where something else says that a command was meant (a
/// sign, `/msg`, the bot's name before it), and any number where one of them is an e-mail address. The command may also
/// stand inside a sentence after `/msg bot`. "how do I login to my router?" carries none, since it does not begin with
/// the word; "login to my router fails since Monday evening" none, since it is too long; "login with curl?" is taken
/// for one, and its writer is told so.
extension TypedLine {
    /// How many words may follow: the command's own and some slack, since passphrases have spaces and people misremember.
    private struct Reach {
        let plain: Int
        let marked: Int
    }

    private static let secretWords: [String: Reach] = [
        "LOGIN": Reach(plain: 4, marked: 8), "LOGON": Reach(plain: 4, marked: 8), "SIGNIN": Reach(plain: 4, marked: 8),
        "REGISTER": Reach(plain: 5, marked: 8), "SIGNUP": Reach(plain: 5, marked: 8),
        "IDENTIFY": Reach(plain: 3, marked: 5), "AUTH": Reach(plain: 2, marked: 4), "ID": Reach(plain: 1, marked: 3),
        "PASSWORD": Reach(plain: 3, marked: 4), "PASSWD": Reach(plain: 3, marked: 4),
        "PASS": Reach(plain: 2, marked: 4), "DROP": Reach(plain: 1, marked: 2), "EMAIL": Reach(plain: 0, marked: 0),
    ]

    /// Whether the line must be kept from everyone: not forwarded, not stored, not logged.
    var carriesSecret: Bool {
        if word == "RESET" { return arguments.contains(where: OneTimeCode.isLong) }
        guard !arguments.isEmpty, let reach = Self.secretWords[word] ?? Self.misspelled(word) else { return false }
        return arguments.count <= (isMarked ? reach.marked : reach.plain) || arguments.contains(where: Self.isEmail)
    }

    /// The lines of a text that carry a password; where none does by itself, those that do with the line after it
    /// (`login` and the password below it), or the text as a whole.
    static func secrets(in text: String, names: [String], mapping: CaseMapping) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        let pairs = zip(lines, lines.dropFirst()).map { "\($0) \($1)" }
        for candidates in lines.count > 1 ? [lines, pairs, [text]] : [[text]] {
            let found = candidates.filter { isSecretInside($0, names: names, mapping: mapping) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Places in a line where a command is looked for, and characters of it: a sentence has fewer.
    private static let mostPlaces = 64
    private static let longestCommand = 600

    /// Whether a line carries a password in any of its places: as a whole, after somebody's name (`carol: login …`, and the
    /// bot's own name of yesterday), or after a `/msg` or `/login` inside a sentence.
    private static func isSecretInside(_ text: String, names: [String], mapping: CaseMapping) -> Bool {
        if TypedLine(text, names: names, mapping: mapping).carriesSecret { return true }
        let plain = plain(text)
        if let sign = plain.firstIndex(where: { ":,".contains($0) }), !plain[..<sign].contains(" ") {
            let rest = String(plain[plain.index(after: sign)...])
            if TypedLine(rest, names: names, mapping: mapping).carriesSecret { return true }
        }
        guard plain.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") }) else { return false }
        var places = 0
        var isAfterSpace = false
        for index in plain.indices where places < mostPlaces {
            defer { isAfterSpace = plain[index].isWhitespace }
            guard isAfterSpace, plain[index] == "/" || plain[index] == "!" else { continue }
            places += 1
            let command = String(plain[index...].prefix(longestCommand))
            if TypedLine(command, names: names, mapping: mapping).carriesSecret { return true }
        }
        return false
    }

    private static func isEmail(_ word: String) -> Bool {
        let sign: (Character) -> Bool = { "<>()[]\"'`,;:.".contains($0) }
        let start = word.drop(while: sign)
        return EmailAddress(String(start.prefix { !"<>()[]\"'`,;:".contains($0) })) != nil
    }

    /// `LGOIN`, `REGSTER`, `LOGINN`: two neighbours swapped, one letter lost or doubled. Other letters in place of one
    /// make other words (`logic`), and are let through.
    private static func misspelled(_ word: String) -> Reach? {
        guard word.count >= 4, !properWords.contains(word) else { return nil }
        for secret in ["LOGIN", "REGISTER", "IDENTIFY", "PASSWORD"] where isSlip(of: secret, word) {
            return secretWords[secret]
        }
        return nil
    }

    private static let properWords: Set<String> = ["LOIN", "LOGI", "RESISTER"]

    private static func isSlip(of secret: String, _ word: String) -> Bool {
        let right = Array(secret.utf8)
        let typed = Array(word.utf8)
        switch typed.count - right.count {
        case 0:
            return right.indices.dropLast().contains { index in
                var swapped = right
                swapped.swapAt(index, index + 1)
                return swapped == typed
            }
        case -1:
            return right.indices.contains { index in
                var shorter = right
                shorter.remove(at: index)
                return shorter == typed
            }
        case 1:
            return right.indices.contains { index in
                var longer = right
                longer.insert(right[index], at: index)
                return longer == typed
            }
        default:
            return false
        }
    }
}
