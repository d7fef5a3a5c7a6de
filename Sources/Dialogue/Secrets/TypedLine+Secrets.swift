import Accounts
import Domain

/// How surely a line carries a password, by its form alone.
enum Secrecy: Sendable, Comparable {
    /// Talk.
    case none
    /// A command word stands where one would, with words behind it that may be a secret as well as talk: they are tried
    /// against the account, and the line is a question where they do not open it.
    case possible
    /// Kept from everyone, whatever the words open.
    case certain
}

/// Passwords typed where everybody reads them.
///
/// What decides is the form: a `SecretWord` in the place of a command, and behind it as many words as the command has in its
/// right form. That is certain where something else says that a command was meant (a sign, `/msg`, the bot's name before
/// it, capitals, an e-mail address, one's own name), or where a word looks like no word; else it is possible. Questions, the small words
/// that hold sentences together, and code make it talk: "login with curl?", "register allocation in LLVM",
/// "def login(user)".
extension TypedLine {
    /// Of the line as it stands. `isName` says whether a word is the name of somebody who is there, or the speaker's.
    func secrecy(isName: (String) -> Bool = { _ in false }) -> Secrecy {
        if word == "RESET" { return arguments.contains(where: OneTimeCode.isLong) ? .certain : .none }
        guard !arguments.isEmpty, let form = SecretWord.forms[word] else { return .none }
        let looksSecret = arguments.prefix(Self.maxWords).contains(where: Self.looksSecret)
        let hasAddress = form.hasAddress && arguments.prefix(Self.maxWords).contains(where: Self.isEmail)
        if hasAddress, arguments.prefix(2).contains(where: Self.isEmail),
            !arguments.prefix(2).contains(where: Self.isSmall)
        {
            return .certain
        }
        if let first = arguments.first, arguments.count == 2,
            ["is", "=", ":", "ist", "est", "es"].contains(first.lowercased())
        {
            return looksSecret ? .certain : .possible
        }
        if isTalk { return looksSecret && arguments.count <= Self.maxWords ? .possible : .none }
        if form.words.contains(arguments.count) {
            let isNamed = arguments.count == 2 && isName(arguments[0])
            let isSure = form.surely?.contains(arguments.count) ?? false
            return isMarked || isShouted || looksSecret || isNamed || isSure ? .certain : .possible
        }
        guard arguments.count <= form.words.upperBound + 3 else { return .none }
        return looksSecret && (isMarked || isShouted) ? .certain : .possible
    }

    /// More words than this behind a command are a sentence.
    private static let maxWords = 12

    /// A question, or words that only sentences and programs have.
    private var isTalk: Bool {
        guard let last = arguments.last else { return false }
        if last.last == "?", arguments.count > 1 || !Self.looksSecret(last) { return true }
        return arguments.prefix(Self.maxWords).contains { argument in
            Self.isSmall(argument) || argument.utf8.allSatisfy { "=+<>*|&{}()[]%^".utf8.contains($0) }
                || argument.dropFirst().contains("(")
                || argument.dropFirst().contains("[")
        }
    }

    private static func isSmall(_ word: String) -> Bool {
        guard word.utf8.count < 16 else { return false }
        let bare = word.drop { !$0.isLetter }.prefix { $0.isLetter }
        return smallWords.contains(bare.lowercased()) && bare.count + 2 >= word.count
    }

    /// Words that nobody has for a password, and that hold most sentences together.
    private static let smallWords: Set<String> = [
        "a", "an", "the", "this", "that", "these", "those", "my", "your", "his", "her", "our", "their", "its", "is",
        "are",
        "was", "were", "be", "been", "am", "do", "does", "did", "has", "have", "had", "can", "could", "should", "would",
        "will", "must", "not", "no", "and", "or", "but", "if", "then", "than", "as", "of", "to", "in", "on", "at", "by",
        "for", "from", "with", "without", "into", "onto", "over", "under", "about", "between", "via", "vs", "versus",
        "using", "like", "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "i", "you", "he",
        "she",
        "it", "we", "they", "me", "him", "us", "them", "some", "any", "all", "every", "so", "too", "only", "just",
        "fails", "failed", "issues", "problem", "problems", "mit", "für", "im", "der", "die", "das", "den", "dem",
        "ein",
        "eine", "und", "oder", "wie", "was", "auf", "bei", "von", "zu", "ist", "nicht", "avec", "pour", "dans", "le",
        "la",
        "les", "des", "et", "comment", "est", "con", "para", "el", "los", "las", "del", "como", "por", "que",
    ]

    /// Letters with digits or signs among them, as no word of a language has; addresses, paths and names of files apart.
    private static func looksSecret(_ word: String) -> Bool {
        let word = word.drop(while: isBracket)
        let bare = word.prefix(word.count - word.reversed().prefix { isBracket($0) || ".,;:!?".contains($0) }.count)
        guard bare.utf8.count >= 6, !bare.utf8.contains(UInt8(ascii: "/")), !isEmail(String(bare)) else { return false }
        let hasLetter = bare.contains(where: \.isLetter)
        let hasDigit = bare.utf8.contains { (0x30...0x39).contains($0) }
        return hasLetter && hasDigit || bare.utf8.contains { "!@#$%^&*+~".utf8.contains($0) }
    }

    private static func isBracket(_ sign: Character) -> Bool { "<>()[]\"'`“”‘’«»".contains(sign) }

    private static func isEmail(_ word: String) -> Bool {
        guard word.utf8.count <= EmailAddress.longest + 8 else { return false }
        let sign: (Character) -> Bool = { "<>()[]\"'`,;:.".contains($0) }
        let start = word.drop(while: sign)
        return EmailAddress(String(start.prefix { !"<>()[]\"'`,;:".contains($0) })) != nil
    }
}

/// What of a text may be a password by its form.
struct SecretFinding: Sendable, Equatable {
    let secrecy: Secrecy
    /// The lines of the text that it stands in.
    let lines: [String]

    /// The lines of one message that are looked at; in a text that has more of them, all of it is one secret.
    private static let maxLines = 64

    /// The lines of a text that carry a password; where none does by itself, those that do with the line after it
    /// (`login` and the password below it), or the text as a whole. Nil where none may.
    init?(in text: String, names: [String], isName: (String) -> Bool = { _ in false }, mapping: CaseMapping) {
        guard SecretWord.isAny(in: text) else { return nil }
        let lines = text.split(separator: "\n").map(String.init)
        let suspects = lines.indices.filter { SecretWord.isAny(in: lines[$0]) }
        let pairs = suspects.filter { $0 + 1 < lines.count }.map { "\(lines[$0]) \(lines[$0 + 1])" }
        guard suspects.count <= Self.maxLines else {
            self.init(secrecy: .certain, lines: [text])
            return
        }
        var best: SecretFinding?
        for candidates in lines.count > 1 ? [suspects.map { lines[$0] }, pairs, [text]] : [[text]] {
            let judged = candidates.map { ($0, Self.secrecy(of: $0, names, isName, mapping)) }
            guard let most = judged.map(\.1).max(), most > best?.secrecy ?? .none else { continue }
            best = SecretFinding(secrecy: most, lines: judged.filter { $0.1 > .none }.map(\.0))
            if most == .certain { break }
        }
        guard let best else { return nil }
        self = best
    }

    private init(secrecy: Secrecy, lines: [String]) {
        self.secrecy = secrecy
        self.lines = lines
    }

    // MARK: Places

    /// Places in a line where a command is looked for; a sentence has fewer.
    private static let maxPlaces = 4
    /// Words before a command in a line that is one nevertheless: `ok so login …`, `hey bot: login …`.
    private static let maxFillers = 4

    /// The most that a line is in any of its places: as a whole, after somebody's name (`carol: login …`, and the bot's own
    /// name of yesterday), after a `/msg` or `/login` inside a sentence, and after a few words of talk.
    private static func secrecy(
        of line: String, _ names: [String], _ isName: (String) -> Bool, _ mapping: CaseMapping
    ) -> Secrecy {
        let words = TypedLine.words(of: line)
        func judged(_ rest: ArraySlice<Substring>) -> Secrecy {
            TypedLine(rest, names: names, mapping: mapping).secrecy(isName: isName)
        }
        var most = judged(words)
        guard most < .certain, let first = words.first else { return most }
        if first.utf8.count <= TypedLine.maxNameLength, let last = first.last, ":,".contains(last) {
            most = max(most, judged(words.dropFirst()))
        }
        let marked = words.indices.dropFirst().filter { words[$0].first == "/" || words[$0].first == "!" }
        for place in marked.prefix(maxPlaces) { most = max(most, judged(words[place...].prefix(16))) }
        guard most < .certain else { return most }
        for place in words.indices.dropFirst().prefix(maxFillers) {
            let before = words[words.startIndex..<place]
            let isCalled = before.contains { word in names.contains { isNear(word, $0, mapping) } }
            guard isCalled || before.allSatisfy(isFiller) else { continue }
            let found = judged(words[place...])
            // Not more than possible: it is a sentence that has the word in it.
            most = max(most, isCalled ? found : min(found, .possible))
        }
        return most
    }

    private static func isFiller(_ word: Substring) -> Bool {
        fillers.contains(word.lowercased().filter { $0.isLetter || $0 == "'" })
    }

    /// What people say before a command that they say to a bot.
    private static let fillers: Set<String> = [
        "", "ok", "okay", "so", "hey", "hi", "hello", "please", "pls", "plz", "now", "oops", "sorry", "just", "then",
        "well",
        "my", "the", "new", "old", "is", "user", "username", "account", "nick", "i", "try", "to", "do", "type", "again",
        "me", "let", "with", "want", "wanna", "and",
    ]

    /// Whether a word is a nick with a slip of the fingers in it, or with another tail, as bots get it (`bot_`, `bot1`).
    private static func isNear(_ word: Substring, _ name: String, _ mapping: CaseMapping) -> Bool {
        guard word.utf8.count <= TypedLine.maxNameLength, name.utf8.count > 2 else { return false }
        var folded = Array(mapping.fold(TypedLine.plain(word)).utf8)
        while let last = folded.last, ":,;.!>_0123456789`^|-".utf8.contains(last) { folded.removeLast() }
        if folded.first == UInt8(ascii: "@") { folded.removeFirst() }
        let name = Array(name.utf8)
        guard abs(folded.count - name.count) <= 1 else { return false }
        let head = zip(folded, name).prefix { $0 == $1 }.count
        let tail = zip(folded.reversed(), name.reversed()).prefix { $0 == $1 }.count
        if head == name.count || folded.count != name.count { return head + tail >= min(folded.count, name.count) }
        // One letter is another one, or two neighbours are swapped.
        let middle = head..<(name.count - min(tail, name.count - head))
        return middle.count <= 1 || middle.count == 2 && folded[middle].sorted() == name[middle].sorted()
    }
}
