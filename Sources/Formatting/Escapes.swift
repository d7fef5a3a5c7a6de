/// Which backslashes of a line shield markup, and which are text.
///
/// To CommonMark every backslash before punctuation is an escape, and goes. That falsifies paths, regular expressions, shell
/// and TeX, which models write outside code too. So one goes only where the byte behind it would be markup without it; and
/// never in a word that other backslashes or signs show to be code.
struct Escapes {
    private let line: ArraySlice<UInt8>
    /// Where the line's text begins, behind blanks and the markers of quotes and items.
    private let contentStart: Int
    private let isTableRow: Bool
    /// The word last looked at.
    private var word = 0..<0
    private var wordIsCode = false
    /// The same without the asterisks and underscores at its ends.
    private var inner = 0..<0
    private var asterisks: Partners?
    private var underscores: Partners?
    private var backticks: Int?
    /// The next `]` behind the place last asked about, once one was.
    private var closing: Int?
    private var hasLooked = false

    init(_ line: ArraySlice<UInt8>, contentStart: Int, isTableRow: Bool) {
        self.line = line
        self.contentStart = contentStart
        self.isTableRow = isTableRow
    }

    /// Whether the backslash at `index` goes: the byte behind it is text because of it.
    mutating func isShield(_ index: Int) -> Bool {
        guard index + 1 < line.endIndex else { return false }
        if MarkdownSource.isLineEnd(line[index + 1]) { return isBreak(index) }
        if isAtStart(index) { return true }
        // The arm of a shrug: `¯\_(ツ)_/¯`.
        if line[..<index].suffix(2).elementsEqual("¯".utf8) { return false }
        return !isCode(at: index) && shieldsInline(index)
    }

    /// Whether a place is within a word that is code, where nothing is emphasized; marks at its ends are not, for a path may
    /// be bold.
    mutating func isInCode(_ index: Int) -> Bool { isCode(at: index) && inner.contains(index) }

    /// At the end of a line it is a hard break, but where a blank stands before it a shell's line goes on.
    private func isBreak(_ index: Int) -> Bool {
        guard index > contentStart else { return false }
        let previous = line[index - 1]
        return !MarkdownSource.isBlank(previous) && previous != UInt8(ascii: "\\")
    }

    // MARK: Blocks

    /// `\# no heading`, `\- no item`, `1\. no item`, `\> no quote`
    private func isAtStart(_ index: Int) -> Bool {
        let rest = line[(index + 1)...]
        guard let mark = rest.first, index >= contentStart else { return false }
        if index == contentStart {
            guard "#-+*".utf8.contains(mark) else { return mark == UInt8(ascii: ">") }
            return rest.drop { $0 == mark }.first.map(MarkdownSource.isBlank) ?? true
        }
        guard mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")") else { return false }
        let number = line[contentStart..<index]
        return number.count <= 9 && number.allSatisfy(ASCII.isDigit)
            && rest.dropFirst().first.map(MarkdownSource.isBlank) ?? true
    }

    // MARK: Words

    private mutating func isCode(at index: Int) -> Bool {
        if !word.contains(index) {
            let start = line[..<index].lastIndex(where: MarkdownSource.isBlank).map { $0 + 1 } ?? line.startIndex
            let end = line[index...].firstIndex(where: MarkdownSource.isBlank) ?? line.endIndex
            word = start..<end
            let isText: (UInt8) -> Bool = { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "_") }
            let first = line[word].firstIndex(where: isText) ?? end
            inner = first..<(line[first..<end].lastIndex(where: isText).map { $0 + 1 } ?? first)
            let isPattern = isPattern()
            if isPattern { inner = word }
            wordIsCode = isPattern || isCode(line[word])
        }
        return wordIsCode
    }

    /// `src/**/*.c`, `**/build/**`: asterisks beside slashes name files. `**src/**`, `**/help**` and `**and**/**or**` are bold.
    private func isPattern() -> Bool {
        let asterisk = UInt8(ascii: "*")
        let slash = UInt8(ascii: "/")
        guard line[word].contains(slash), Self.hasLoneMarks(line[word]) else { return false }
        let hasMarks = line[word].first == asterisk && line[word].last == asterisk
        let isFolder = line[inner].first == slash && line[inner].last == slash
        return !hasMarks || isFolder || Self.hasLoneMarks(line[inner])
    }

    /// Whether asterisks of a part between slashes have no partner there.
    private static func hasLoneMarks(_ path: ArraySlice<UInt8>) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { part in
            var runs = 0
            var previous: UInt8 = 0
            for byte in part {
                if byte == UInt8(ascii: "*") && previous != byte { runs += 1 }
                previous = byte
            }
            return runs % 2 == 1
        }
    }

    private func isCode(_ word: ArraySlice<UInt8>) -> Bool {
        let asterisk = UInt8(ascii: "*")
        let inner = word.drop { $0 == asterisk }
        var isEscaped = false
        var stars = (bare: 0, escaped: 0)
        for (index, byte) in zip(inner.indices, inner) {
            if isEscaped {
                isEscaped = false
                if byte == asterisk { stars.escaped += 1 }
                if !Self.inlineMarks.contains(byte), !isAtStart(index - 1) { return true }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                if byte == asterisk { stars.bare += 1 }
                if "^{}".utf8.contains(byte) || byte == UInt8(ascii: "|") && !isTableRow { return true }
            }
        }
        // Behind a colon it separates, as in `C:\*.tmp`.
        let hasDrive = inner.dropFirst().first == UInt8(ascii: ":") && inner.dropFirst(2).first == UInt8(ascii: "\\")
        let trailing = inner.reversed().prefix { $0 == asterisk }.count
        let isMixed = stars.escaped > 0 && stars.bare > (word.first == asterisk ? trailing : 0)
        return hasDrive || isMixed || inner.last == UInt8(ascii: "$")
    }

    private static let inlineMarks = Array("*_`[]!|#<".utf8)

    // MARK: Inlines

    private mutating func shieldsInline(_ index: Int) -> Bool {
        let mark = line[index + 1]
        switch mark {
        case UInt8(ascii: "*"):
            let partners = asterisks ?? Partners(of: mark, in: line)
            asterisks = partners
            return partners.has(for: index + 1)
        case UInt8(ascii: "_"):
            let partners = underscores ?? Partners(of: mark, in: line)
            underscores = partners
            return partners.has(for: index + 1) || isWithinName(index)
        case UInt8(ascii: "`"):
            let count = backticks ?? line.count { $0 == mark }
            backticks = count
            return count > 1
        case UInt8(ascii: "["): return nextBracket(behind: index).map { isLink(at: $0) } ?? false
        case UInt8(ascii: "!"):
            let isBefore = line[(index + 2)...].first { $0 != UInt8(ascii: "\\") } == UInt8(ascii: "[")
            return isBefore && nextBracket(behind: index).map { isLink(at: $0) } ?? false
        case UInt8(ascii: "]"): return isLink(at: index + 1)
        case UInt8(ascii: "<"): return MarkdownSource.isAutolink(line[(index + 2)...])
        default: return false
        }
    }

    /// `snake\_case`: models shield what needs no shield.
    private func isWithinName(_ index: Int) -> Bool {
        guard index > line.startIndex, index + 2 < line.endIndex else { return false }
        return ASCII.isName(line[index - 1]) && ASCII.isName(line[index + 2])
    }

    private mutating func nextBracket(behind index: Int) -> Int? {
        if closing.map({ $0 <= index }) ?? false || !hasLooked {
            closing = line[(index + 1)...].firstIndex(of: UInt8(ascii: "]"))
            hasLooked = true
        }
        return closing
    }

    private func isLink(at index: Int) -> Bool {
        guard line[index] == UInt8(ascii: "]"), line[(index + 1)...].first == UInt8(ascii: "(") else { return false }
        return LinkTarget.isOne(line[(index + 2)...], needsScheme: false)
    }
}

/// The places of a line at which emphasis could begin and end, by CommonMark's rules, were nothing shielded.
private struct Partners {
    private var openers: Set<Int> = []
    private var closers: Set<Int> = []
    /// Behind the first run that opens, and where the last one that closes begins.
    private var firstOpener: Int?
    private var lastCloser: Int?

    init(of mark: UInt8, in line: ArraySlice<UInt8>) {
        let isMark: (UInt8) -> Bool = { "*_\\".utf8.contains($0) }
        let isUnderscore = mark == UInt8(ascii: "_")
        var before: UInt8 = 0x20
        var index = line.startIndex
        while index < line.endIndex {
            guard isMark(line[index]) else {
                before = line[index]
                index += 1
                continue
            }
            let run = line[index...].prefix(while: isMark)
            let behind = run.endIndex < line.endIndex ? line[run.endIndex] : 0x20
            let opens = !MarkdownSource.isBlank(behind) && !(isUnderscore && ASCII.isName(before))
            let closes = !MarkdownSource.isBlank(before) && !(isUnderscore && ASCII.isName(behind))
            for place in run.indices where run[place] == mark {
                if opens { openers.insert(place) }
                if closes { closers.insert(place) }
                if opens && firstOpener == nil { firstOpener = run.endIndex }
                if closes { lastCloser = run.startIndex }
            }
            index = run.endIndex
        }
    }

    /// Whether the mark at `index` has one on the other side, in another run.
    func has(for index: Int) -> Bool {
        openers.contains(index) && lastCloser.map { $0 > index } ?? false
            || closers.contains(index) && firstOpener.map { $0 <= index } ?? false
    }
}
