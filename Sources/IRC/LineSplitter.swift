internal import Domain

/// Makes the lines of an utterance fit the wire, counted in bytes as other clients will receive them.
///
/// A server puts the sender's own mask before a line and cuts what is then too long, silently; so the budget is what the
/// line length leaves beside `:nick!user@host PRIVMSG target :` and the line end. No piece is empty, none longer than the
/// budget, none ends inside a character; joined they are the text, but for the spaces it was cut at.
struct LineSplitter: Sendable {
    /// Bytes of a line with its end: 512, unless ISUPPORT `LINELEN` says more (RFC 2812 section 2.3).
    var lineLength = 512
    var nick: String
    /// As others see it; nil until the server has shown it.
    var user: String?
    /// As others see it, a cloak for instance; nil until the server has shown it.
    var host: String?

    /// Usual upper bounds of servers: ten letters and the `~` of an unidentified user, and the longest host name.
    private static let assumedUser = 11
    private static let assumedHost = 63
    /// No server shows a longer mask: a name of the DNS has 253 bytes. What claims to be longer would leave no room for text.
    private static let longestMask = 300

    init(nick: String, user: String? = nil, host: String? = nil, lineLength: Int = 512) {
        self.nick = nick
        self.user = user
        self.host = host
        self.lineLength = lineLength
    }

    /// Bytes that the text of one line may take, its prefix included.
    func budget(for form: Utterance.Form, to target: Target) -> Int {
        let user = user?.utf8.count ?? Self.assumedUser
        let host = host?.utf8.count ?? Self.assumedHost
        let mask = min(1 + nick.utf8.count + 1 + user + 1 + host + 1, Self.longestMask)
        return lineLength - 2 - mask - form.command.utf8.count - 1 - target.spelling.utf8.count - 2
    }

    /// The texts of an utterance as they go on the wire, each with the prefix, cleaned by `OutgoingGate`; blank lines go.
    ///
    /// Where there are more than `maxLines`, the continuation follows as a line of its own, beside the count, `{n}` in it
    /// replaced by how many lines were left out. Takes time linear in the text.
    func texts(of utterance: Utterance) -> [String] {
        let budget = budget(for: utterance.form, to: utterance.target)
        let prefix = prefix(of: utterance, budget: budget)
        let room = budget - prefix.utf8.count
        var pieces = utterance.lines.flatMap {
            Self.pieces(ofLines: $0, budget: room, isFormatted: utterance.isFormatted)
        }
        if let most = utterance.maxLines, pieces.count > most {
            let count = pieces.count - max(0, most)
            pieces.removeLast(count)
            let continuation = utterance.continuation.replacing("{n}", with: String(count))
            pieces += Self.pieces(ofLines: continuation, budget: room, isFormatted: false)
        }
        return pieces.map { prefix + $0 }
    }

    /// A prefix is a nick and two characters; one that takes half the line is a mistake, and would take the text's room.
    private func prefix(of utterance: Utterance, budget: Int) -> String {
        let cleaned = OutgoingGate.clean(utterance.prefix)
        return cleaned.utf8.count <= budget / 2 ? cleaned : ""
    }

    /// How far `texts` gets within `maxLines`. Bytes are those of a line as the gate lets it through, which never has more
    /// than were given but for tabs.
    func extent(of utterance: Utterance) -> Extent {
        let budget = budget(for: utterance.form, to: utterance.target)
        let room = budget - prefix(of: utterance, budget: budget).utf8.count
        let most = utterance.maxLines ?? .max
        var count = 0
        for (index, line) in utterance.lines.enumerated() {
            let clean = OutgoingGate.clean(line, isFormatted: utterance.isFormatted)
            for piece in Self.placedPieces(of: clean, budget: room) {
                if count == most { return Extent(wireLines: count, rest: Extent.Rest(line: index, byte: piece.start)) }
                count += 1
            }
        }
        return Extent(wireLines: count, rest: nil)
    }

    private static func pieces(ofLines text: String, budget: Int, isFormatted: Bool) -> [String] {
        text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .flatMap {
                pieces(of: OutgoingGate.clean(String(Substring($0)), isFormatted: isFormatted), budget: budget)
            }
    }

    /// One line of text in pieces of at most `budget` bytes: cut at spaces, which go; between characters where a word is
    /// longer than a line; between scalars only where a single character is. Spaces at the very start stay.
    ///
    /// Formatting codes that a cut leaves open are closed at its end and opened again behind it; a piece of which nothing
    /// but codes is left goes.
    static func pieces(of text: String, budget: Int) -> [String] { placedPieces(of: text, budget: budget).map(\.text) }

    /// The same, each with the bytes of the text, codes not counted, that stand before it.
    private static func placedPieces(of text: String, budget: Int) -> [(text: String, start: Int)] {
        let hasCodes = text.utf8.contains { FormattingCode(rawValue: $0) != nil }
        // Codes opened again and the reset, a byte each.
        let reserve = hasCodes ? FormattingCode.allCases.count + 1 : 0
        var cutter = Cutter(text, budget: max(budget - reserve, 4))
        var pieces: [(text: String, start: Int)] = []
        var open: [FormattingCode] = []
        var start = 0
        var counted = 0
        while let piece = cutter.next() {
            let closed = hasCodes ? close(piece, &open) : piece
            if let closed { pieces.append((closed, start)) }
            let passed = counted..<cutter.position
            start += hasCodes ? passed.count - cutter.codes(in: passed) : passed.count
            counted = cutter.position
        }
        return pieces
    }

    /// A piece with `open` switched on before it, and everything switched off behind it; nil where there is no text in it.
    private static func close(_ piece: String, _ open: inout [FormattingCode]) -> String? {
        let bytes = Array(piece.utf8)
        let isText: (UInt8) -> Bool = { FormattingCode(rawValue: $0) == nil }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else {
            open = FormattingCode.open(after: bytes, from: open)
            return nil
        }
        let before = FormattingCode.open(after: bytes[..<first], from: open)
        let behind = FormattingCode.open(after: bytes[first...last], from: before)
        open = FormattingCode.open(after: bytes[(last + 1)...], from: behind)
        let closing = behind.isEmpty ? [] : [FormattingCode.reset]
        return String(decoding: before.map(\.rawValue) + bytes[first...last] + closing, as: UTF8.self)
    }
}

extension Utterance.Form {
    /// The command that says it.
    var command: String {
        switch self {
        case .message: "PRIVMSG"
        case .notice: "NOTICE"
        }
    }
}

/// Goes through one line once, from cut to cut.
private struct Cutter {
    private let text: String
    private let bytes: [UInt8]
    private let budget: Int
    /// Where the next piece begins.
    private(set) var position = 0

    init(_ text: String, budget: Int) {
        self.text = text
        self.bytes = Array(text.utf8)
        self.budget = budget
    }

    mutating func next() -> String? {
        while position < bytes.count {
            let start = position
            let end = bytes.count - start <= budget ? bytes.count : cut(from: start)
            position = end
            skipSpaces()
            if let last = bytes[start..<end].lastIndex(where: { $0 != UInt8(ascii: " ") }) {
                return String(decoding: bytes[start...last], as: UTF8.self)
            }
        }
        return nil
    }

    /// Formatting codes in a part of the line.
    func codes(in part: Range<Int>) -> Int { bytes[part].count { FormattingCode(rawValue: $0) != nil } }

    /// Eats the spaces at a cut, but none that carries a combining mark.
    private mutating func skipSpaces() {
        let space = UInt8(ascii: " ")
        while position < bytes.count, bytes[position] == space, end(ofCharacterAt: position) == position + 1 {
            position += 1
        }
    }

    /// Where the piece that begins at `start` ends; there is more behind it than fits.
    private func cut(from start: Int) -> Int {
        let limit = start + budget
        let (space, boundary) = isPlain(start, limit) ? plainCuts(start, limit) : characterCuts(start, limit)
        if let space, !isWordTooLong(from: space + 1) { return space }
        if boundary > start { return boundary }
        var scalar = limit
        while scalar > start + 1, bytes[scalar] & 0xC0 == 0x80 { scalar -= 1 }
        return scalar
    }

    /// Whether ASCII alone decides about every cut up to `limit`: in it, every byte is a character.
    private func isPlain(_ start: Int, _ limit: Int) -> Bool {
        bytes[start..<min(limit + 2, bytes.count)].allSatisfy { $0 < 0x80 }
    }

    private func plainCuts(_ start: Int, _ limit: Int) -> (space: Int?, boundary: Int) {
        let word = bytes[start...limit].firstIndex(where: { $0 != UInt8(ascii: " ") })
        return (word.flatMap { bytes[$0...limit].lastIndex(of: UInt8(ascii: " ")) }, limit)
    }

    private func characterCuts(_ start: Int, _ limit: Int) -> (space: Int?, boundary: Int) {
        let rest = rest(from: start)
        var space: Int?
        var index = rest.startIndex
        var hasWord = false
        while true {
            let position = start + text.utf8.distance(from: rest.startIndex, to: index)
            index = rest.index(after: index)
            let next = start + text.utf8.distance(from: rest.startIndex, to: index)
            if bytes[position] == UInt8(ascii: " ") && next == position + 1 {
                if hasWord { space = position }
            } else {
                hasWord = true
            }
            if next > limit { return (space, position) }
        }
    }

    private func end(ofCharacterAt position: Int) -> Int {
        let next = position + 1
        guard bytes[position] >= 0x80 || next < bytes.count && bytes[next] >= 0x80 else { return next }
        let rest = rest(from: position)
        return position + text.utf8.distance(from: rest.startIndex, to: rest.index(after: rest.startIndex))
    }

    /// A substring, because characters are told apart from its start on: from within a string they are looked for
    /// backwards, through all flags there may be, and flags in pairs go back for ever.
    private func rest(from position: Int) -> Substring {
        text[text.utf8.index(text.startIndex, offsetBy: position)...]
    }

    /// A word that no line holds is cut anyway, so it may as well begin on this one.
    private func isWordTooLong(from start: Int) -> Bool {
        guard start + budget < bytes.count else { return false }
        return !bytes[start...(start + budget)].contains(UInt8(ascii: " "))
    }
}
