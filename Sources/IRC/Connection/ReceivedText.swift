import IRCProtocol

/// What somebody's bytes say.
struct ReceivedText: Equatable {
    let text: String
    /// The bytes are no UTF-8: the text is a guess.
    let isGarbled: Bool

    init(text: String, isGarbled: Bool) {
        self.text = text
        self.isGarbled = isGarbled
    }

    /// A character that was cut off at the end, by a client or a server that counts bytes, is left out. Whatever else is no
    /// UTF-8 is read by the decoder, and repaired with U+FFFD where there is none.
    ///
    /// A single letter of an old encoding at the very end looks like a character that was cut: with a decoder it is taken for
    /// one only where other characters before it show that this is UTF-8, or the line `isFull`.
    init(_ bytes: ArraySlice<UInt8>, _ decoder: LegacyDecoder?, isFull: Bool) {
        if let whole = String(validating: bytes, as: UTF8.self) {
            text = whole
            isGarbled = false
            return
        }
        isGarbled = true
        let rest = bytes.dropLast(Self.fragmentLength(of: bytes))
        if rest.count < bytes.count, let cut = String(validating: rest, as: UTF8.self),
            decoder == nil || isFull || rest.contains(where: { $0 >= 0x80 })
        {
            text = cut
        } else {
            text = decoder?.text(of: bytes) ?? String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Bytes at the end that begin a character and do not finish it.
    private static func fragmentLength(of bytes: ArraySlice<UInt8>) -> Int {
        let continuations = bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count
        guard continuations < 3, let lead = bytes.dropLast(continuations).last else { return 0 }
        let length =
            switch lead {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        return continuations + 1 < length ? continuations + 1 : 0
    }
}

extension IRCMessage {
    /// So many bytes in one line are nobody's whole thought for sure. Clients cut long text by what they believe fits: irssi and
    /// WeeChat at a word, by the sender's own mask; HexChat by the longest mask there could be; The Lounge and KiwiIRC at 350
    /// bytes, at a word too.
    private static let longText = 320
    /// A client that counts by bytes leaves no more than this free, or half a character.
    private static let leftFree = 8

    /// Whether its text is as long as a client lets a line be, so that the rest of it is likely to follow. `lineLength` is
    /// what the server takes, CR LF included.
    func isFull(lineLength: Int) -> Bool {
        guard let text = raw(count - 1) else { return false }
        return text.count >= Self.longText || lineLength - 2 - untaggedCount <= Self.leftFree
    }
}
