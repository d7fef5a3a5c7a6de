import Domain

/// Passwords typed where everybody reads them.
///
/// The rule, which errs on the side of secrecy: a line carries a password if its first word is a `SecretWord` and not more
/// words follow than such a command can have; more are allowed where something else says that a command was meant (a sign,
/// `/msg`, the bot's name before it), and any number where one of them is an e-mail address. The command may also
/// stand inside a sentence after `/msg bot`. "how do I login to my router?" carries none, since it does not begin with
/// the word; "login to my router fails since Monday evening" none, since it is too long; "login with curl?" is taken
/// for one, and its writer is told so.
extension TypedLine {
    /// Whether the line must be kept from everyone: not forwarded, not stored, not logged.
    var carriesSecret: Bool {
        if word == "RESET" { return arguments.contains(where: OneTimeCode.isLong) }
        guard !arguments.isEmpty, let reach = SecretWord.reach[word] else { return false }
        return arguments.count <= (isMarked ? reach.marked : reach.plain) || arguments.contains(where: Self.isEmail)
    }

    /// The lines of a text that carry a password; where none does by itself, those that do with the line after it
    /// (`login` and the password below it), or the text as a whole.
    static func secrets(in text: String, names: [String], mapping: CaseMapping) -> [String] {
        guard SecretWord.isAny(in: text) else { return [] }
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
}
