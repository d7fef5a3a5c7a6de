/// Whether marks that the parser took for emphasis are meant so, by what stands around them.
///
/// CommonMark lets `*` work inside words, which turns `2*3*4` into `234`. Models write mathematics and code outside code
/// spans, and lost marks falsify them, while marks left standing only look less neat: so doubt leaves them.
struct Emphasis {
    let isStrong: Bool
    /// `_` rather than `*`.
    let isUnderscore: Bool
    /// The byte just before and behind; nil at the end of a line or of another element.
    let preceding: UInt8?
    let following: UInt8?
    /// What is emphasized, where it is text alone.
    let content: [UInt8]?

    var marks: [UInt8] {
        Array(repeating: UInt8(ascii: isUnderscore ? "_" : "*"), count: isStrong ? 2 : 1)
    }

    var isMeant: Bool {
        if isUnderscore && isStrong, let content, content.allSatisfy(ASCII.isName) { return false }
        // `*-*` is a face, and `"**x**"` speaks about marks.
        if !isStrong, let content, !content.contains(where: LineRenderer.isWordByte) { return false }
        if let preceding, preceding == following, "\"'".utf8.contains(preceding) { return false }
        let isAttachedBefore = preceding.map { Self.attachesBefore($0) || isUnderscore && Self.drawsFaces($0) } ?? false
        let isAttachedBehind = following.map { Self.attachesBehind($0) } ?? false
        if isStrong && !isUnderscore { return !(isAttachedBefore && isAttachedBehind) || isPartOfWord }
        return !isAttachedBefore && !isAttachedBehind
    }

    /// `Hyper**T**ext`: letters throughout, and more than a product of three would have.
    private var isPartOfWord: Bool {
        guard let content, content.count < 16, content.allSatisfy({ ASCII.isLetter($0) }) else { return false }
        guard let preceding, let following, ASCII.isLetter(preceding), ASCII.isLetter(following) else { return false }
        return content.first.map { $0 & 0x20 == 0 } ?? false
    }

    private static func attachesBefore(_ byte: UInt8) -> Bool {
        ASCII.isName(byte) || ")]}/\\.=+%^$&#@".utf8.contains(byte)
    }

    private static func attachesBehind(_ byte: UInt8) -> Bool {
        ASCII.isName(byte) || "([{/\\=+%^$&#@".utf8.contains(byte)
    }

    /// `;_;`, `>_>` and `-_-`
    private static func drawsFaces(_ byte: UInt8) -> Bool { ";<>|!?-'".utf8.contains(byte) }
}
