package import Domain

/// The people whose lines in a channel are not told, unless they may concern the bot.
///
/// Nearly all that a busy channel says concerns nobody but the people there. Whether a line does is decided on its bytes,
/// before anything is made of them. Invariant: a line is left out only where the reader has said so of this address, this
/// services account and this channel, and nothing came of its sender that the reader did not know then, but for lines that concern
/// it as little.
///
/// A value; times are those of one monotonic clock.
package struct Bystanders: Sendable {
    private struct Entry: Sendable {
        /// `nick!user@host PRIVMSG #channel :`, as the line has it.
        let opening: [UInt8]
        let account: [UInt8]?
        let until: Duration
        let concerns: @Sendable (ArraySlice<UInt8>) -> Bool
    }

    /// What was told of somebody and the reader may not have heard yet. Each line is looked at once, however many there are.
    private struct Told: Sendable {
        /// The last event that may change what their lines are to the bot.
        private(set) var number: UInt64 = 0
        /// What they said in channels since.
        private var lines: [(number: UInt64, text: String)] = []

        var last: UInt64 { lines.last?.number ?? number }

        mutating func take(_ number: UInt64) { self = Told(number: number) }

        mutating func take(_ line: String, _ number: UInt64, handled: UInt64) {
            if lines.count >= 64, lines[lines.count / 2].number <= handled { lines.removeAll { $0.number <= handled } }
            lines.append((number, line))
        }

        /// Whether what the reader knew at `heard` holds after all that was told since.
        mutating func holds(since heard: UInt64, _ concerns: (ArraySlice<UInt8>) -> Bool) -> Bool {
            guard heard >= number else { return false }
            let concerning = lines.last { $0.number > heard && concerns(Array($0.text.utf8)[...]) }
            number = concerning?.number ?? number
            lines.removeAll { $0.number <= concerning?.number ?? .max }
            return concerning == nil
        }
    }

    package static let most = 8192
    private static let maxChannels = 8
    private static let fewestTold = 256

    /// By the hash of the nick as it is spelled: whoever has it, in one channel or more.
    private var entries: [UInt64: [Entry]] = [:]
    private var hashes: [Nick: UInt64] = [:]
    private var told: [Nick: Told] = [:]
    private var allToldAt: UInt64 = 0
    /// Twice what was left the last time, so that a netsplit costs no look at all of them for each.
    private var prunedAt = Self.fewestTold

    package init() {}

    /// `heard` is the number of the last event that the reader knew when it said so.
    package mutating func add(_ bystander: Bystander, heard: UInt64, at now: Duration) {
        let person = bystander.person
        guard heard >= allToldAt, told[person.nick]?.holds(since: heard, bystander.concerns) != false else { return }
        let hash = Self.hash(person.nick.spelling.utf8)
        if let former = hashes.updateValue(hash, forKey: person.nick), former != hash { entries[former] = nil }
        let opening = Array("\(person.nick.spelling)!\(person.address) PRIVMSG \(bystander.channel.spelling) :".utf8)
        var theirs = entries[hash] ?? []
        theirs.removeAll { $0.opening == opening }
        guard theirs.count < Self.maxChannels else { return }
        theirs.append(
            Entry(
                opening: opening, account: person.servicesAccount.map { Array($0.utf8) }, until: now + bystander.time,
                concerns: bystander.concerns))
        if entries.count >= Self.most { forgetAll() }
        entries[hash] = theirs
    }

    /// Takes in what is told to the reader; `handled` is how far it has come.
    package mutating func take(_ kind: ChatEvent.Kind, number: UInt64, handled: UInt64) {
        switch kind {
        case .message(let message):
            tell(of: message.sender.nick, number, handled, line: Self.isPlain(message) ? message.text : nil)
        case .joined(let person, _), .seen(let person, _), .servicesAccount(let person), .moved(let person, _, _):
            tell(of: person.nick, number, handled)
        case .left(let nick, _), .quit(let nick), .watched(let nick, _), .unwatched(let nick):
            tell(of: nick, number, handled)
        case .renamed(let person, let nick):
            tell(of: person.nick, number, handled)
            tell(of: nick, number, handled)
        case .online, .offline, .ownNick, .casemapping, .entered, .members, .channelRenamed, .expelled:
            forgetAll()
            told = [:]
            allToldAt = number
        case .ranked, .refused: break
        }
    }

    private static func isPlain(_ message: Message) -> Bool {
        guard case .channel = message.place else { return false }
        return !message.isAction && !message.isGarbled
    }

    private mutating func tell(of nick: Nick, _ number: UInt64, _ handled: UInt64, line: String? = nil) {
        if let hash = hashes.removeValue(forKey: nick) { entries[hash] = nil }
        if let line {
            told[nick, default: Told()].take(line, number, handled: handled)
        } else {
            told[nick, default: Told()].take(number)
        }
        guard told.count >= prunedAt else { return }
        told = told.filter { $0.value.last > handled }
        prunedAt = max(Self.fewestTold, told.count * 2)
    }

    private mutating func forgetAll() {
        entries = [:]
        hashes = [:]
    }

    // MARK: Lines

    /// Whether a line, as it came, is one that nobody needs to hear: `[@tags ]:nick!user@host PRIVMSG #channel :text`, where
    /// the text has no codes in it and is UTF-8. After any other line of somebody's the next one is heard, though what
    /// the first one means may be told only later.
    package mutating func leaveOut(_ line: ArraySlice<UInt8>, at now: Duration) -> Bool {
        guard !entries.isEmpty else { return false }
        let tags = LineTags(line)
        let rest = line[tags.end...]
        guard rest.first == UInt8(ascii: ":") else { return false }
        let hash = Self.hash(rest.dropFirst().prefix { $0 != UInt8(ascii: "!") && $0 != 0x20 })
        guard let theirs = entries[hash] else { return false }
        for entry in theirs where !tags.sayMore && Self.opens(rest.dropFirst(), with: entry.opening) {
            let text = rest.dropFirst(1 + entry.opening.count)
            if now < entry.until, tags.account.map({ line[$0] }) == entry.account?[...], Self.isPlain(text),
                !entry.concerns(text)
            {
                return true
            }
        }
        entries[hash] = nil
        return false
    }

    private static func opens(_ line: ArraySlice<UInt8>, with opening: [UInt8]) -> Bool {
        let line = line.span
        let opening = opening.span
        guard line.count > opening.count else { return false }
        for index in opening.indices where line[index] != opening[index] { return false }
        return true
    }

    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        var least: UInt8 = 0xFF
        var bits: UInt8 = 0
        for byte in text {
            least = min(least, byte)
            bits |= byte
        }
        return least >= 0x20 && (bits < 0x80 || String(validating: text, as: UTF8.self) != nil)
    }

    /// FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>): two nicks of one hash cost a look, and nothing else.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Where the tags of a line end and whose account they tell.
private struct LineTags {
    /// What says that a line is more than somebody's words of now: see `ReplayFilter`, `LabeledAnswers`, `MultilineMessages`.
    private static let telling = ["batch", "label", "bot", "draft/multiline-concat"].map { Array($0.utf8) }

    private(set) var account: Range<Int>?
    private(set) var end: Int
    private(set) var sayMore = false

    init(_ line: ArraySlice<UInt8>) {
        end = line.startIndex
        guard line.first == UInt8(ascii: "@") else { return }
        while end < line.endIndex, line[end] != 0x20 {
            let start = end + 1
            end = line[start...].firstIndex { $0 == UInt8(ascii: ";") || $0 == 0x20 } ?? line.endIndex
            let key = line[start..<end].prefix { $0 != UInt8(ascii: "=") }
            if Self.telling.contains(where: { key.elementsEqual($0) }) { sayMore = true }
            if key.elementsEqual("account".utf8) { account = min(key.endIndex + 1, end)..<end }
        }
        end = min(end + 1, line.endIndex)
    }
}
