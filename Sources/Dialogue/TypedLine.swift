import Domain

/// A line read as the command somebody may have meant by it, however it was typed.
///
/// People type commands as their client, another bot or a help page taught them: with `/`, `!` or `.` before it, as
/// `/msg bot …` spelled out, to `bot:`, in quotes, in full-width letters, with invisible characters pasted along. All of it
/// comes down to a first word in capitals and the words after it. The words after it stay as they were typed: one of
/// them may be a password.
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
        var words = Self.words(of: text)
        var isMarked = false
        if let first = words.first, first.hasPrefix("<"), first.hasSuffix(">"), words.count > 1 { words.removeFirst() }
        while let first = words.first {
            let bare = Self.bare(first)
            if Self.messageCommands.contains(bare.uppercased()), words.count > 1,
                Self.isMarked(first) || words.count > 2
            {
                guard Self.isName(words[1], names, mapping) || Self.isMarked(first) else { break }
                words.removeFirst(2)
            } else if Self.isName(first, names, mapping), words.count > 1 {
                words.removeFirst()
            } else if let rest = Self.afterName(first, names, mapping) {
                words[0] = rest
            } else {
                break
            }
            isMarked = true
        }
        let first = words.first ?? ""
        let (word, glued) = Self.split(first)
        var arguments = glued + words.dropFirst()
        var whole = word
        if let second = arguments.first, let joined = Self.twoWords[word + " " + Self.bare(second).uppercased()] {
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
        self.typed = Self.bare(first)
        self.arguments = arguments
        self.isMarked = isMarked || Self.isMarked(first)
    }

    // MARK: Words

    private static let messageCommands: Set<String> = [
        "MSG", "M", "QUERY", "Q", "NOTICE", "PRIVMSG", "TELL", "SAY", "QUOTE", "RAW", "W", "WHISPER",
    ]
    /// Services of networks, to whom people also say IDENTIFY and REGISTER.
    private static let services: Set<String> = ["nickserv", "ns", "authserv", "userserv"]
    private static let twoWords = [
        "LOG IN": "LOGIN", "LOG ON": "LOGIN", "SIGN IN": "LOGIN", "SIGN UP": "REGISTER", "LOG OUT": "LOGOUT",
        "LOG OFF": "LOGOUT",
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

    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init).filter { !plain($0).isEmpty }
    }

    /// Full-width forms as ASCII, and nothing that cannot be seen.
    static func plain(_ text: some StringProtocol) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isInvisible {
            let isWide = (0xFF01...0xFF5E).contains(scalar.value)
            plain.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        return String(plain)
    }

    /// A word without the signs that stand around it.
    private static func bare(_ word: String) -> String {
        let plain = plain(word)
        let isSign: (Character) -> Bool = { !$0.isLetter && !$0.isNumber }
        guard let start = plain.firstIndex(where: { !isSign($0) }) else { return "" }
        return String(plain[start...].prefix { !isSign($0) })
    }

    /// The command word, and what was glued to it by a sign (`login:secret`).
    private static func split(_ word: String) -> (word: String, glued: [String]) {
        let plain = plain(word)
        let bare = bare(word)
        guard let range = plain.firstRange(of: bare), !bare.isEmpty else { return ("", []) }
        let rest = plain[range.upperBound...].drop { ":=,;|/.!?\"'`”’»)]>*_-".contains($0) }
        return (bare.uppercased(), rest.isEmpty ? [] : [String(rest)])
    }

    private static func isMarked(_ word: String) -> Bool {
        guard let first = plain(word).first(where: { !quotes.contains($0) }) else { return false }
        return "/!.\\~".contains(first)
    }

    /// `bot`, `bot:`, `@bot,` or `bot@server`, and the same of a service.
    private static func isName(_ word: String, _ names: [String], _ mapping: CaseMapping) -> Bool {
        var name = plain(word)[...]
        if let first = name.first, "@/\"'`“".contains(first) { name = name.dropFirst() }
        while let last = name.last, ":,;>!".contains(last) { name = name.dropLast() }
        let folded = mapping.fold(String(name.prefix { $0 != "@" }))
        return names.contains(folded) || services.contains(folded)
    }

    /// What follows `bot:` or `bot,` in the same word.
    private static func afterName(_ word: String, _ names: [String], _ mapping: CaseMapping) -> String? {
        let plain = plain(word)
        guard let sign = plain.firstIndex(where: { ":,;".contains($0) }) else { return nil }
        let rest = plain[plain.index(after: sign)...]
        guard !rest.isEmpty, isName(String(plain[..<sign]), names, mapping) else { return nil }
        return String(rest)
    }
}

extension Unicode.Scalar {
    /// Zero-width, soft hyphen, bidi controls, variation selectors and the like: there, and not to be seen.
    var isInvisible: Bool { properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control }
}

extension StringProtocol {
    /// Whether there is anything to be seen.
    var isVisible: Bool { unicodeScalars.contains { !$0.isInvisible && !$0.properties.isWhitespace } }
}
