import Domain

/// What somebody typed after REGISTER, sorted: `<password> <e-mail> [first name] [last name]`, the first two either way.
struct Registration: Sendable {
    /// A name longer than this is none.
    static let longestName = 64

    var password: Secret?
    var email: EmailAddress?
    var firstName: String?
    var lastName: String?

    /// The e-mail address is the first word that looks like one, the second place being looked at first, where it belongs:
    /// a password may look like an address too. The next word is the password, the rest are names.
    init(_ arguments: [String]) {
        var words = arguments
        let places = [1, 0] + Array(words.indices.dropFirst(2))
        if let place = places.first(where: { words.indices.contains($0) && Self.address(words[$0]) != nil }) {
            email = Self.address(words.remove(at: place))
        }
        if !words.isEmpty { password = Secret(words.removeFirst()) }
        firstName = words.first.map { String($0.prefix(Self.longestName)) }
        let rest = words.dropFirst().joined(separator: " ")
        lastName = rest.isEmpty ? nil : String(rest.prefix(Self.longestName))
    }

    /// What is missing, in words.
    func missing(isEmailRequired: Bool) -> [String] {
        var parts: [String] = []
        if password == nil { parts.append("a password") }
        if isEmailRequired && email == nil { parts.append("an e-mail address") }
        return parts
    }

    /// An address as people type it, perhaps in the angle brackets that stand in the usage.
    private static func address(_ word: String) -> EmailAddress? {
        let isBracketed = word.hasPrefix("<") && word.hasSuffix(">")
        return EmailAddress(isBracketed ? String(word.dropFirst().dropLast()) : word)
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
