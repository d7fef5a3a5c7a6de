import Domain
import Passwords

/// What in a text may concern the bot when its sender did not concern it so far: a first look at its bytes.
struct Overhearing: Sendable {
    let mapping: CaseMapping
    /// Folded: all that the bot is called, or may come to be called while it is looked for.
    let names: [[UInt8]]
    /// Of the sender's password, where they logged in with one, and how short one may be.
    let fingerprint: PasswordFingerprint?
    let shortestPassword: Int
    /// The last five bits of what the names begin with.
    private let initials: UInt32

    init(
        _ mapping: CaseMapping, names: Set<String>, fingerprint: PasswordFingerprint?, shortestPassword: Int
    ) {
        self.mapping = mapping
        self.names = names.map { Array($0.utf8) }
        self.fingerprint = fingerprint
        self.shortestPassword = shortestPassword
        initials = self.names.compactMap(\.first).reduce(0) { $0 | 1 << UInt32($1 & 31) }
    }

    func isOfConcern(_ text: ArraySlice<UInt8>) -> Bool {
        // A name that is called stands at the beginning of a word (see `Addressing`).
        let lengths = SecretWord.lengths
        let hasWord = PlainWords.contains(in: text) { bytes, word in
            let first = bytes[word.lowerBound]
            return lengths.isAny(first, bytes[word.upperBound - 1], word.count) && SecretWord.isSuspect(bytes, word)
                || isInitial(first) && names.contains { mapping.isName($0, at: word.lowerBound, in: bytes) }
        }
        guard hasWord != true, !mayHavePassword(text) else { return true }
        // Names that do not begin with a letter, and texts in other scripts.
        let others = hasWord == nil ? names : names.filter { !PlainWords.isLetterOrDigit($0.first ?? 0) }
        return others.contains { mapping.isAnywhere($0, in: text) } || hasWord == nil && SecretWord.isAny(in: text)
    }

    /// Whether a name begins with this letter or digit, or the other one of its last five bits.
    private func isInitial(_ byte: UInt8) -> Bool { initials & 1 << UInt32(byte & 31) != 0 }

    private func mayHavePassword(_ text: ArraySlice<UInt8>) -> Bool {
        fingerprint.map { PasswordSearch.isAny(in: text, shortest: shortestPassword, where: $0.mayBe) } ?? false
    }
}
