package import Domain

/// Makes the lines of an utterance fit the wire, counted in bytes as other clients will receive them.
///
/// A server puts the sender's own mask before a line and cuts what is then too long, silently; so the budget is what the
/// line length leaves beside `:nick!user@host PRIVMSG target :` and the line end. No piece is empty, none longer than the
/// budget, none ends inside a character; joined they are the text, but for the spaces it was cut at.
package struct LineSplitter: Sendable {
    /// Bytes of a line with its end: 512, unless ISUPPORT `LINELEN` says more (RFC 2812 section 2.3).
    package var lineLength = 512
    package var nick: String
    /// As others see it; nil until the server has shown it.
    package var user: String?
    /// As others see it, a cloak for instance; nil until the server has shown it.
    package var host: String?

    /// Usual upper bounds of servers: ten letters and the `~` of an unidentified user, and the longest host name.
    private static let assumedUser = 11
    private static let assumedHost = 63
    /// No server shows a longer mask: a name of the DNS has 253 bytes. What claims to be longer would leave no room for text.
    private static let maxMaskLength = 300

    package init(nick: String, user: String? = nil, host: String? = nil, lineLength: Int = 512) {
        self.nick = nick
        self.user = user
        self.host = host
        self.lineLength = lineLength
    }

    /// Bytes that the text of one line may take, its prefix included.
    package func budget(for form: Utterance.Form, to target: Target) -> Int {
        let user = user?.utf8.count ?? Self.assumedUser
        let host = host?.utf8.count ?? Self.assumedHost
        let mask = min(1 + nick.utf8.count + 1 + user + 1 + host + 1, Self.maxMaskLength)
        return lineLength - 2 - mask - form.command.utf8.count - 1 - target.spelling.utf8.count - 2
    }

    /// The texts of an utterance as they go on the wire, each with what opens it, cleaned by `OutgoingGate`; blank lines go.
    ///
    /// Where there are more than `maxLines`, the continuation follows as a line of its own, beside the count, `{n}` in it
    /// replaced by how many lines were left out. Takes time linear in the text.
    package func texts(of utterance: Utterance) -> [String] {
        let opening = Opening(of: utterance, budget: budget(for: utterance.form, to: utterance.target))
        var pieces = placedPieces(of: utterance, opening).map(\.piece.text)
        let said = utterance.countSaid(of: pieces.count)
        if said < pieces.count {
            let continuation = utterance.continuation.replacing("{n}", with: String(pieces.count - said))
            pieces.removeLast(pieces.count - said)
            for line in Self.lines(of: continuation) {
                pieces += Self.pieces(of: OutgoingGate.clean(line), budget: opening.room)
            }
        }
        return pieces.enumerated().map { opening.text(before: $1, isFirst: $0 == 0) + $1 }
    }

    /// How far `texts` gets within `maxLines`. Bytes are those of a line as the gate lets it through, which never has more
    /// than were given but for tabs.
    package func extent(of utterance: Utterance) -> Extent {
        let opening = Opening(of: utterance, budget: budget(for: utterance.form, to: utterance.target))
        let pieces = placedPieces(of: utterance, opening)
        let said = utterance.countSaid(of: pieces.count)
        guard said < pieces.count else { return Extent(wireLines: said, rest: nil) }
        return Extent(
            wireLines: said, rest: Extent.Rest(line: pieces[said].line, byte: pieces[said].piece.start))
    }

    private typealias Piece = (text: String, start: Int)

    /// All pieces, and the line each is of.
    private func placedPieces(of utterance: Utterance, _ opening: Opening) -> [(line: Int, piece: Piece)] {
        var pieces: [(line: Int, piece: Piece)] = []
        for (index, text) in utterance.lines.enumerated() {
            for line in Self.lines(of: text) {
                let cut = Cut(
                    budget: opening.room, first: pieces.isEmpty ? opening.firstRoom : opening.room,
                    keepsSpaces: utterance.code.contains(index), avoidsCommands: opening.isShielding)
                let clean = OutgoingGate.clean(line, isFormatted: utterance.isFormatted)
                pieces += Self.placedPieces(of: clean, cut).map { (index, $0) }
            }
        }
        return pieces
    }

    private static func lines(of text: String) -> [String] {
        text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .map { String(Substring($0)) }
    }

    /// One line of text in pieces of at most `budget` bytes: cut at spaces, which go; between characters where a word is
    /// longer than a line; between scalars only where a single character is. Spaces at the very start stay.
    ///
    /// Formatting codes that a cut leaves open are closed at its end and opened again behind it; a piece of which nothing
    /// but codes is left goes.
    package static func pieces(of text: String, budget: Int) -> [String] {
        placedPieces(of: text, Cut(budget: budget, first: budget)).map(\.text)
    }

    /// The same, each with the bytes of the text, codes not counted, that stand before it.
    private static func placedPieces(of text: String, _ cut: Cut) -> [Piece] {
        let hasCodes = text.utf8.contains { FormattingCode(rawValue: $0) != nil }
        // Codes opened again and the reset, a byte each.
        let reserve = hasCodes ? FormattingCode.allCases.count + 1 : 0
        var cutter = LineCutter(text, cut.reserving(reserve))
        var pieces: [Piece] = []
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
    package var command: String {
        switch self {
        case .message: "PRIVMSG"
        case .notice: "NOTICE"
        }
    }
}

/// What stands before the lines of an utterance, and what room it leaves them.
private struct Opening {
    private let address: String
    private let prefix: String
    /// Bots may read it: a line that nothing stands before must be no command.
    let isShielding: Bool
    /// Bytes of text on a line.
    let room: Int
    let firstRoom: Int

    init(of utterance: Utterance, budget: Int) {
        // A nick and two characters; what takes half the line is a mistake, and would take the text's room.
        let cleaned = [utterance.address, utterance.prefix].map { text in
            let clean = OutgoingGate.clean(text)
            return clean.utf8.count <= budget / 2 ? clean : ""
        }
        let isRead = utterance.target.channel != nil
        // Nobody can be nicked `!op`, and somebody behind a bridge can be called so.
        let isCommand = isRead && CommandShield.isNeeded(forAddress: cleaned[0].utf8)
        (address, prefix) = ((isCommand ? CommandShield.text : "") + cleaned[0], cleaned[1])
        isShielding = isRead && prefix.isEmpty
        room = budget - prefix.utf8.count - (isShielding ? CommandShield.text.utf8.count : 0)
        firstRoom = min(room, budget - prefix.utf8.count - address.utf8.count)
    }

    func text(before piece: String, isFirst: Bool) -> String {
        if isFirst && !address.isEmpty { return address + prefix }
        return isShielding && CommandShield.isNeeded(for: piece.utf8) ? CommandShield.text : prefix
    }
}
