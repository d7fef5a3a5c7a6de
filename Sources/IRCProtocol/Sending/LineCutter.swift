import Domain

/// How a line is cut.
package struct Cut {
    /// Bytes a piece may have.
    package let budget: Int
    /// Bytes the first piece may have.
    package let first: Int
    /// The pieces together are the line.
    package var keepsSpaces = false
    /// No piece but the first should begin like a command.
    package var avoidsCommands = false

    /// With some bytes less for each piece; with room for a character all the same.
    package func reserving(_ bytes: Int) -> Cut {
        Cut(
            budget: max(budget - bytes, 4), first: max(first - bytes, 4), keepsSpaces: keepsSpaces,
            avoidsCommands: avoidsCommands)
    }
}

/// Goes through one line once, from cut to cut.
package struct LineCutter {
    private let text: String
    private let bytes: [UInt8]
    private let cut: Cut
    /// Bytes of the piece that comes next.
    private var budget: Int
    /// Where the next piece begins.
    package private(set) var position = 0

    package init(_ text: String, _ cut: Cut) {
        self.text = text
        self.bytes = Array(text.utf8)
        self.cut = cut
        budget = cut.first
    }

    package mutating func next() -> String? {
        while position < bytes.count {
            let start = position
            let end = bytes.count - start <= budget ? bytes.count : end(from: start)
            position = end
            if !cut.keepsSpaces { skipSpaces() }
            if let last = bytes[start..<end].lastIndex(where: { $0 != UInt8(ascii: " ") }) {
                budget = cut.budget
                let stop = cut.keepsSpaces && end < bytes.count ? end : last + 1
                return String(decoding: bytes[start..<stop], as: UTF8.self)
            }
        }
        return nil
    }

    /// Formatting codes in a part of the line.
    package func codes(in part: Range<Int>) -> Int { bytes[part].count { FormattingCode(rawValue: $0) != nil } }

    /// Eats the spaces at a cut, but none that carries a combining mark.
    private mutating func skipSpaces() {
        let space = UInt8(ascii: " ")
        while position < bytes.count, bytes[position] == space, end(ofCharacterAt: position) == position + 1 {
            position += 1
        }
    }

    /// Where the piece that begins at `start` ends; there is more behind it than fits.
    private func end(from start: Int) -> Int {
        let limit = start + budget
        let cuts = isPlain(start, limit) ? plainCuts(start, limit) : characterCuts(start, limit)
        if let space = cuts.space, !isWordTooLong(from: space + 1) {
            return cut.keepsSpaces ? firstSpace(upTo: space, from: start) : space
        }
        if cuts.boundary > start { return cuts.boundary }
        var scalar = limit
        while scalar > start + 1, bytes[scalar] & 0xC0 == 0x80 { scalar -= 1 }
        return scalar
    }

    /// The places at which a piece may end: the last space behind a word, and the end of the last character that fits.
    ///
    /// Where what follows would be taken for a command, a place further to the front is sought, but not in the first half.
    private struct Cuts {
        var space: Int?
        var boundary: Int
    }

    /// Of code the spaces begin the next piece, where they can be seen; too many of them are parted.
    private func firstSpace(upTo space: Int, from start: Int) -> Int {
        var first = space
        while first > start + budget / 2, bytes[first - 1] == UInt8(ascii: " ") { first -= 1 }
        return first
    }

    private func isSafe(_ position: Int) -> Bool {
        !cut.avoidsCommands || !CommandShield.isNeeded(for: bytes[position...])
    }

    /// Whether ASCII alone decides about every cut up to `limit`: in it, every byte is a character.
    private func isPlain(_ start: Int, _ limit: Int) -> Bool {
        bytes[start..<min(limit + 2, bytes.count)].allSatisfy { $0 < 0x80 }
    }

    private func plainCuts(_ start: Int, _ limit: Int) -> Cuts {
        let blank = UInt8(ascii: " ")
        let half = start + budget / 2
        let boundary = (half...limit).last(where: isSafe) ?? limit
        let word = bytes[start...limit].firstIndex(where: { $0 != blank }) ?? limit
        guard let last = bytes[word...limit].lastIndex(of: blank) else { return Cuts(space: nil, boundary: boundary) }
        let safe = (max(word, half)...max(word, limit)).last { bytes[$0] == blank && isSafe($0) }
        // Code that no space parts well is parted within a word: its pieces together are the line all the same.
        if cut.keepsSpaces && safe == nil && !isSafe(last) { return Cuts(space: nil, boundary: boundary) }
        return Cuts(space: safe ?? last, boundary: boundary)
    }

    private func characterCuts(_ start: Int, _ limit: Int) -> Cuts {
        let rest = rest(from: start)
        let half = start + budget / 2
        var space: Int?
        var safeSpace: Int?
        var safeBoundary: Int?
        var index = rest.startIndex
        var hasWord = false
        while true {
            let position = start + text.utf8.distance(from: rest.startIndex, to: index)
            index = rest.index(after: index)
            let next = start + text.utf8.distance(from: rest.startIndex, to: index)
            if bytes[position] == UInt8(ascii: " ") && next == position + 1 {
                if hasWord { space = position }
                if hasWord, position >= half, isSafe(position) { safeSpace = position }
            } else {
                hasWord = true
                if position >= half, isSafe(position) { safeBoundary = position }
            }
            if next > limit { return Cuts(space: safeSpace ?? space, boundary: safeBoundary ?? position) }
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
