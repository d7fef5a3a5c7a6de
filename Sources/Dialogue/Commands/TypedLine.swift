import Domain

/// A line read as the command somebody may have meant by it, however it was typed.
///
/// People type commands as their client, another bot or a help page taught them: with `/`, `!` or `.` before it, as
/// `/msg bot …` spelled out, to `bot:`, in quotes, in full-width letters, with invisible characters pasted along. All of it
/// comes down to a first word in capitals and the words after it. The words after it stay as they were typed: one of
/// them may be a password. Linear in the line: only a few names are taken off its front.
struct TypedLine: Sendable, Equatable {
    /// The first word in capital ASCII letters, without what stood around it; empty where there is none.
    let word: String
    /// The same as it was typed.
    let typed: String
    let arguments: [String]
    /// Something said that this is a command: a sign before it, `/msg`, or the bot's or a service's name.
    let isMarked: Bool

    /// `names` are the nicks the bot may be called by, folded; compared by `mapping`.
    init(_ text: String, names: [String], mapping: CaseMapping) {
        self.init(Self.words(of: text), names: names, mapping: mapping)
    }

    /// The words of a line, those that can be seen.
    init(_ line: ArraySlice<Substring>, names: [String], mapping: CaseMapping) {
        var words = line
        var isMarked = false
        if let first = words.first, first.hasPrefix("<"), first.hasSuffix(">"), words.count > 1 { words.removeFirst() }
        if let first = words.first, words.count > 1, Self.isMarked(first),
            !first.unicodeScalars.contains(where: Self.isLetter)
        {
            words.removeFirst()
            isMarked = true
        }
        for _ in 0..<Self.maxNames {
            guard let rest = Self.withoutName(words, names, mapping) else { break }
            words = rest
            isMarked = true
        }
        let first = words.first ?? ""
        let (word, typed, glued) = Self.split(first)
        var arguments = glued + words.dropFirst().map(String.init)
        var whole = word
        if let second = arguments.first, let joined = Self.twoWords[word + " " + Self.split(second[...]).word] {
            whole = joined
            arguments.removeFirst()
        }
        if let quote = first.first, Self.quotes.contains(quote), let last = arguments.last,
            last.last == Self.closing(quote)
        {
            arguments[arguments.count - 1] = String(last.dropLast())
            if last.count == 1 { arguments.removeLast() }
        }
        self.word = whole
        self.typed = typed
        self.arguments = arguments
        self.isMarked = isMarked || Self.isMarked(first)
    }

    /// Typed in capitals, as commands are.
    var isShouted: Bool { typed.utf8.count > 1 && typed == typed.uppercased() && typed != typed.lowercased() }

    // MARK: Words

    /// So many names are taken off the front; nobody calls the bot more often before saying what they want.
    private static let maxNames = 4
    /// A longer word is no nick, and no name before a colon.
    static let maxNameLength = 64

    private static let messageCommands: Set<String> = [
        "MSG", "M", "QUERY", "Q", "NOTICE", "PRIVMSG", "TELL", "SAY", "QUOTE", "RAW", "W", "WHISPER", "PM", "MGS",
        "SMG",
    ]
    /// Services of networks, to whom people also say IDENTIFY and REGISTER.
    private static let services: Set<String> = ["nickserv", "ns", "authserv", "userserv", "chanserv", "cs"]
    private static let twoWords = [
        "LOG IN": "LOGIN", "LOG ON": "LOGIN", "SIGN IN": "LOGIN", "SIGN UP": "REGISTER", "LOG OUT": "LOGOUT",
        "LOG OFF": "LOGOUT", "SET PASSWORD": "SETPASSWORD", "SET PASS": "SETPASSWORD", "SET PW": "SETPASSWORD",
        "SET PASSWD": "SETPASSWORD", "CHANGE PASSWORD": "CHANGEPASSWORD", "CHANGE PASS": "CHANGEPASSWORD",
    ]
    private static let quotes: Set<Character> = ["\"", "'", "`", "“", "‘", "«", "„", "(", "[", "<", "*", "_"]

    private static func closing(_ quote: Character) -> Character {
        switch quote {
        case "“": "”"
        case "„": "“"
        case "‘": "’"
        case "«": "»"
        case "(": ")"
        case "[": "]"
        case "<": ">"
        default: quote
        }
    }

    static func words(of text: String) -> ArraySlice<Substring> {
        guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return text.utf8.split(separator: 0x20).map { Substring($0) }[...]
        }
        return text.split(whereSeparator: \.isWhitespace).filter(\.isVisible)[...]
    }

    /// Full-width forms as ASCII, and nothing that cannot be seen.
    static func plain(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return String(text) }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isInvisible {
            let isWide = (0xFF01...0xFF5E).contains(scalar.value)
            plain.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        return String(plain)
    }

    /// The command word in capitals and as it was typed, and what was glued to it by a sign (`login:secret`).
    ///
    /// Where the sign makes one word of it, as in `login.py`, `login(user)` or `pass-the-hash`, it is that word and none
    /// of ours.
    private static func split(_ word: Substring) -> (word: String, typed: String, glued: [String]) {
        let scalars = word.unicodeScalars
        guard let start = scalars.firstIndex(where: { $0.plainLetter != nil || isLetter($0) }) else {
            return ("", "", [])
        }
        let end =
            scalars[start...].firstIndex { $0.plainLetter == nil && !isLetter($0) && !$0.isPassedOver }
            ?? scalars.endIndex
        let typed = String(scalars[start..<end])
        let letters = scalars[start..<end].compactMap { $0.isPassedOver ? nil : $0.plainLetter ?? 0x3F }
        let rest = plain(Substring(scalars[end...]))
        if let sign = rest.unicodeScalars.first, "._-/('’@".unicodeScalars.contains(sign),
            let next = rest.unicodeScalars.dropFirst().first, isLetter(next)
        {
            return ("", typed, [])
        }
        let glued = rest.drop { ":=,;|/.!?\"'`”’»)]>*_-".contains($0) }
        return (String(decoding: letters, as: UTF8.self), typed, glued.isEmpty ? [] : [String(glued)])
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.plainLetter != nil
            || !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }

    private static func isMarked(_ word: Substring) -> Bool {
        guard let first = plain(word.prefix(maxNameLength)).first(where: { !quotes.contains($0) }) else { return false }
        return "/!.\\~".contains(first)
    }

    // MARK: Names

    /// The words behind `/msg name`, `name` or `name:`; nil where no name that counts stands before them.
    private static func withoutName(
        _ words: ArraySlice<Substring>, _ names: [String], _ mapping: CaseMapping
    ) -> ArraySlice<Substring>? {
        guard let first = words.first else { return nil }
        let isCommand = isMarked(first)
        if words.count > 1, isCommand || words.count > 2, messageCommands.contains(split(first).word) {
            return isName(words[words.startIndex + 1], names, mapping) || isCommand ? words.dropFirst(2) : nil
        }
        if words.count > 1, isName(first, names, mapping) { return words.dropFirst() }
        guard let rest = afterName(first, names, mapping) else { return nil }
        var left = words
        left[left.startIndex] = rest
        return left
    }

    /// `bot`, `bot:`, `@bot,` or `bot@server`, and the same of a service.
    private static func isName(_ word: Substring, _ names: [String], _ mapping: CaseMapping) -> Bool {
        guard word.utf8.count <= 4 * maxNameLength else { return false }
        var name = plain(word)[...]
        if let first = name.first, "@/\"'`“".contains(first) { name = name.dropFirst() }
        while let last = name.last, ":,;>!".contains(last) { name = name.dropLast() }
        let folded = mapping.fold(String(name.prefix { $0 != "@" }))
        return names.contains(folded) || services.contains(folded)
    }

    /// What follows `bot:` or `bot,` in the same word.
    private static func afterName(_ word: Substring, _ names: [String], _ mapping: CaseMapping) -> Substring? {
        let head = word.unicodeScalars.prefix(maxNameLength)
        guard let sign = head.firstIndex(where: { ":,;：，；".unicodeScalars.contains($0) }) else { return nil }
        let rest = Substring(word.unicodeScalars[word.unicodeScalars.index(after: sign)...])
        guard rest.isVisible, isName(Substring(word.unicodeScalars[..<sign]), names, mapping) else { return nil }
        return rest
    }
}
