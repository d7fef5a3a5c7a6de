/// Which nick to try next when the server refuses one.
///
/// The configured nicks first, in order; then the last one with `_`, kept within what the server takes.
package struct NickChoice: Sendable {
    /// The longest nick tried while the server's NICKLEN is unknown; soju does the same.
    private static let longest = 30
    private static let maxUnderscores = 5

    package private(set) var current: String
    private var alternates: ArraySlice<String>
    private let base: String
    private var underscores = 0
    private var longest = Self.longest

    package init(nick: String, alternates: [String]) {
        current = nick
        self.alternates = alternates[...]
        base = alternates.last ?? nick
    }

    /// After 433 or 436, which name the nick as the server understood it: one that it cut tells how long nicks may be.
    /// Nil when everything was tried.
    package mutating func taken(_ refused: String? = nil) -> String? {
        if let refused, !refused.isEmpty, refused != current, current.hasPrefix(refused) {
            longest = refused.utf8.count
        }
        if let alternate = alternates.popFirst() { return use(alternate) }
        guard underscores < Self.maxUnderscores else { return nil }
        underscores += 1
        return use(underscored)
    }

    /// After 432: the server does not allow it. Nil when no nick of the configuration is allowed.
    package mutating func forbidden() -> String? {
        guard underscores > 0 else { return alternates.popFirst().map { use($0) } }
        // The base alone was merely taken, so it is the length that is not allowed.
        longest = current.utf8.count - 1
        guard longest > underscores else { return nil }
        return use(underscored)
    }

    private var underscored: String {
        base.prefix(max(1, longest - underscores)) + String(repeating: "_", count: underscores)
    }

    private mutating func use(_ nick: String) -> String {
        current = nick
        return nick
    }
}
