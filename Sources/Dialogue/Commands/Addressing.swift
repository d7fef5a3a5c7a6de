import Domain

/// Whom a line in a channel is for.
enum Addressing: Sendable, Equatable {
    /// For the bot, by name; the text without the name.
    case bot(String)
    /// Opens with the nick of another member.
    case someoneElse
    /// A command to another bot: `!seen alice`.
    case otherBot
    /// For all to hear.
    case everyone

    /// `names` are all that the bot is called; `isMember` says whether another member of the channel has this nick.
    init(_ text: String, names: [Nick], mapping: CaseMapping, isMember: (Nick) -> Bool) {
        // Relays say before a line who said it.
        let line = RelayedLine(text, isRelay: false)?.text ?? text[...]
        // A first look: of most of what a channel says none of the names is a part.
        let bytes = Array(line.utf8)[...]
        let names = names.filter { mapping.isAnywhere(Array($0.folded.utf8), in: bytes) }
        let afterName = names.lazy.compactMap { Self.afterName(line, nick: $0, mapping: mapping) }.first
        if let rest = afterName {
            // A bare `bot?` is still something to answer.
            self = .bot(rest.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol }) ? rest : text)
        } else if let other = Self.opening(line, mapping), isMember(other) {
            self = .someoneElse
        } else if Self.isCommand(line) {
            self = .otherBot
        } else if let rest = names.lazy.compactMap({ ClosingName.text(before: $0, in: line, mapping) }).first {
            self = .bot(rest)
        } else {
            self = .everyone
        }
    }

    /// What people put between a name and what they say to it.
    private static let separators = ":,;>-–—!?."

    private static func afterName(_ line: Substring, nick: Nick, mapping: CaseMapping) -> String? {
        let line = line.first == "@" ? line.dropFirst() : line
        let name = line.utf8.prefix(nick.folded.utf8.count)
        guard let text = String(name), mapping.fold(text) == nick.folded else { return nil }
        var rest = line[name.endIndex...]
        guard let next = rest.first else { return "" }
        // Not `bots`, `bot-like`, `bot's`, `bot.example.org`: the name must be over.
        if next == ":" || next == "," {
            rest = rest.dropFirst()
        } else if separators.contains(next) {
            rest = rest.drop { separators.contains($0) }
            guard rest.first?.isWhitespace ?? true else { return nil }
        } else if !next.isWhitespace {
            return nil
        }
        rest = rest.drop { $0.isWhitespace }
        if let sign = rest.first, "-–—:,>".contains(sign), rest.dropFirst().first?.isWhitespace == true {
            rest = rest.dropFirst(2)
        }
        return String(rest.drop { $0.isWhitespace })
    }

    /// The nick that a line opens with, `alice: ` or `@alice`.
    private static func opening(_ line: Substring, _ mapping: CaseMapping) -> Nick? {
        let isMention = line.utf8.first == UInt8(ascii: "@")
        guard isMention || line.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") }) else {
            return nil
        }
        let line = isMention ? line.dropFirst() : line
        let name = line.prefix { $0 != ":" && $0 != "," && !$0.isWhitespace }
        guard !name.isEmpty else { return nil }
        let next = line[name.endIndex...].first
        guard next == ":" || next == "," || isMention else { return nil }
        return Nick(String(name), mapping)
    }

    /// The signs that bots are commonly told to listen for, before a letter. Others (`$PATH`, `-Wall`, `` `swift` ``)
    /// open questions as often as commands.
    private static func isCommand(_ line: Substring) -> Bool {
        guard let first = line.utf8.first, "!.~,;%&?+/".utf8.contains(first), let sign = line.first,
            "!.~,;%&?+/".contains(sign), let letter = line.dropFirst().first
        else {
            return false
        }
        return letter.isLetter && letter.isASCII
    }
}
