/// Codes that people copy from one window to another: letters and digits that cannot be taken for each other.
public enum OneTimeCode {
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// To confirm something one is about to do: not a secret.
    public static func short() -> String { random(4) }

    /// To prove that a mail was read: `K7M2-X9QP-4RTV`, 59 bits.
    static func long() -> String { (0..<3).map { _ in random(4) }.joined(separator: "-") }

    /// Whether a word has the form of a long one, in whatever case.
    public static func isLong(_ word: String) -> Bool {
        let parts = word.uppercased().split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.count == 4 && $0.allSatisfy(alphabet.contains) }
    }

    /// From the system's own randomness, as `SystemRandomNumberGenerator` takes it (getrandom(2)).
    private static func random(_ count: Int) -> String {
        String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }
}
