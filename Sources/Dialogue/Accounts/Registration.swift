import Domain

/// What somebody typed after REGISTER, sorted: `<password> <e-mail> [first name] [last name]`, the first two either way.
///
/// What can be meant in one way only is understood: `password=x email=y`, an address in brackets, one's own nick before the
/// password. What could be meant in two is refused with the reason, since a password that is not the one its owner thinks of
/// opens nothing.
struct Registration: Sendable {
    /// Why nothing can be made of it.
    enum Problem: Sendable, Equatable {
        /// Several words stand where the password is.
        case spaces
        /// The password is in quotes or brackets, which may or may not be meant as a part of it.
        case quotes
        /// A word with an @ in it that is no address.
        case noAddress(String)
    }

    /// A name longer than this is none.
    static let maxNameLength = 64

    private(set) var password: Secret?
    private(set) var email: EmailAddress?
    private(set) var firstName: String?
    private(set) var lastName: String?
    private(set) var problem: Problem?

    /// The e-mail address is the first word that looks like one, the second place being looked at first, where it belongs:
    /// a password may look like an address too. One word before it is the password, or the one behind it where none is before
    /// it; the rest are names. `nick` may stand before the password: other services want the name there.
    init(_ arguments: [String], nick: String? = nil) {
        var words = named(arguments)
        let places = [1, 0] + Array(words.indices.dropFirst(2))
        if let place = places.first(where: { words.indices.contains($0) && Self.address(words[$0]) != nil }) {
            email = Self.address(words[place])
            var before = Array(words[..<place])
            let behind = words[(place + 1)...]
            if before.count == 2, let nick, CaseMapping.ascii.fold(before[0]) == CaseMapping.ascii.fold(nick) {
                before.removeFirst()
            }
            if before.count > 1 { problem = .spaces }
            words = before + behind
        } else if let odd = words.dropFirst().first(where: { $0.contains("@") }) {
            problem = .noAddress(odd)
        }
        if !words.isEmpty {
            let word = words.removeFirst()
            if Self.isQuoted(word) || Self.opensQuote(word), problem == nil { problem = .quotes }
            password = Secret(word)
        }
        firstName = firstName ?? words.first.map { String($0.prefix(Self.maxNameLength)) }
        let rest = words.dropFirst().joined(separator: " ")
        if lastName == nil { lastName = rest.isEmpty ? nil : String(rest.prefix(Self.maxNameLength)) }
    }

    /// `email=y` and its like, put where they belong; what is left, in order.
    private mutating func named(_ arguments: [String]) -> [String] {
        var rest: [String] = []
        var given: (password: String?, email: String?)
        for word in arguments {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]) : ""
            switch value.isEmpty ? "" : parts[0].lowercased().filter({ $0.isLetter }) {
            case "password", "pass", "pw", "passwd": given.password = value
            case "email", "mail", "address": given.email = value
            case "first", "firstname", "name": firstName = String(value.prefix(Self.maxNameLength))
            case "last", "lastname", "surname": lastName = String(value.prefix(Self.maxNameLength))
            default: rest.append(word)
            }
        }
        // Where only one of them is named, the other is the first word left.
        return [given.password, given.email].compactMap(\.self) + rest
    }

    /// What is missing, in words.
    func missing(isEmailRequired: Bool) -> [String] {
        var parts: [String] = []
        if password == nil { parts.append("a password") }
        if isEmailRequired && email == nil { parts.append("an e-mail address") }
        return parts
    }

    /// An address as people type it, perhaps in the angle brackets that stand in the usage, or as a link.
    private static func address(_ word: String) -> EmailAddress? {
        var word = word[...]
        while let first = word.first, let last = word.last, word.count > 1, closing(first) == last {
            word = word.dropFirst().dropLast()
        }
        if word.lowercased().hasPrefix("mailto:") { word = word.dropFirst("mailto:".count) }
        while let last = word.last, ",;.".contains(last) { word = word.dropLast() }
        return EmailAddress(String(word))
    }

    private static func isQuoted(_ word: String) -> Bool {
        guard let first = word.first, word.count > 2 else { return false }
        return closing(first) == word.last
    }

    /// `"two` of `"two words"`.
    private static func opensQuote(_ word: String) -> Bool { word.first == "\"" || word.first == "“" }

    private static func closing(_ sign: Character) -> Character? {
        switch sign {
        case "<": ">"
        case "[": "]"
        case "(": ")"
        case "{": "}"
        case "“": "”"
        case "«": "»"
        case "\"", "'", "`": sign
        default: nil
        }
    }

    /// A nick as an account name and a nick at once: what of it is allowed, the rest as `_`.
    static func suggestion(for nick: Nick) -> String {
        var name = ""
        for scalar in nick.spelling.unicodeScalars {
            let letter = String(scalar)
            if AccountName("x" + letter) != nil {
                name += letter
            } else if !name.isEmpty && !name.hasSuffix("_") {
                name += "_"
            }
        }
        while name.hasSuffix("_") { name.removeLast() }
        // No nick begins with a digit or a dash (RFC 2812 section 2.3.1).
        if let first = name.unicodeScalars.first, !first.properties.isAlphabetic { name = "u" + name }
        if name.utf8.count < AccountName.lengths.lowerBound { name = "my-" + (name.isEmpty ? "name" : name) }
        return String(name.prefix(AccountName.lengths.upperBound))
    }
}
