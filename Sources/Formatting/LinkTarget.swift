/// Whether what stands in the parentheses behind `[text]` is where a link leads, or code that only looks like one.
///
/// `handlers[i](event)`, `[0-9](abc)` and `foo[Int](3)` are links to CommonMark. What people can follow has a scheme, begins
/// as a path or fragment does, or ends like a domain or a file; anything else stays as written. Where a name or bracket
/// stands right before, as an index or type argument has it, only a scheme makes a link.
enum LinkTarget {
    private static let schemes: Set = ["mailto", "tel", "sms", "xmpp", "magnet", "urn", "geo", "news"]
    private static let endings: Set = [
        "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "app", "dev", "wiki", "blog", "cloud", "online",
        "site", "tech", "page", "chat", "xyz", "html", "htm", "pdf", "txt", "png", "jpg", "jpeg", "gif", "svg", "webp",
        "mp4", "zip", "php", "rst", "ipynb",
    ]

    /// `text` is what follows the opening parenthesis.
    static func isOne(_ text: ArraySlice<UInt8>, needsScheme: Bool) -> Bool {
        var target = text.prefix(longest).drop { $0 == UInt8(ascii: " ") }
        if target.first == UInt8(ascii: "<") { target = target.dropFirst() }
        if hasScheme(target) { return true }
        guard !needsScheme, let first = target.first else { return false }
        let isPath = first == UInt8(ascii: "/") || target.starts(with: "./".utf8) || target.starts(with: "../".utf8)
        return isPath || first == UInt8(ascii: "#") || isDomainOrFile(target)
    }

    /// `https://`, or the few schemes that go without slashes.
    static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
        let scheme = text.prefix(33).prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
        guard scheme.count >= 2, let first = scheme.first, ASCII.isLetter(first) else { return false }
        let rest = text.dropFirst(scheme.count)
        if rest.starts(with: "://".utf8) { return true }
        return rest.first == UInt8(ascii: ":") && schemes.contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    /// Of a target no more than this is looked at, in bytes.
    private static let longest = 256

    /// `example.org`, `example.org:8080/a`, `docs/guide.html`
    private static func isDomainOrFile(_ text: ArraySlice<UInt8>) -> Bool {
        let isPathByte: (UInt8) -> Bool = {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 >= 0x80 || "-_.~%/".utf8.contains($0)
        }
        let path = text.prefix(while: isPathByte)
        let behind = text.dropFirst(path.count).first ?? UInt8(ascii: ")")
        guard ") :?#>".utf8.contains(behind) else { return false }
        let parts = path.split(separator: UInt8(ascii: "/"))
        return parts.first.map(isNamed) == true || parts.count > 1 && parts.last.map(isNamed) == true
    }

    /// Ends in a country's two letters, or in what domains and files often end in.
    private static func isNamed(_ part: ArraySlice<UInt8>) -> Bool {
        let labels = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, labels.allSatisfy({ !$0.isEmpty }) else { return false }
        let ending = String(decoding: last, as: UTF8.self).lowercased()
        return last.count == 2 && last.allSatisfy(ASCII.isLetter) || endings.contains(ending)
    }
}

/// Kinds of bytes.
enum ASCII {
    static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    /// A letter, digit or underscore.
    static func isName(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") }
}
