package import Domain

/// What the server said about itself (numeric 005); every question has the protocol's own default until it is answered.
///
/// Tokens may come in several lines, change in mid-session and be withdrawn (`-TOKEN`).
/// https://modern.ircdocs.horse/#rplisupport-005
package struct ISupport: Sendable {
    /// Those that are asked for here: a server may make up any number of others, and none of them is kept.
    private enum Token: String {
        case bot = "BOT"
        case caseMapping = "CASEMAPPING"
        case channelModes = "CHANMODES"
        case channelTypes = "CHANTYPES"
        case deniedTags = "CLIENTTAGDENY"
        case lineLength = "LINELEN"
        case monitor = "MONITOR"
        case network = "NETWORK"
        case nickLength = "NICKLEN"
        case prefix = "PREFIX"
        case statusMarks = "STATUSMSG"
        case whox = "WHOX"
    }

    private var tokens: [Token: String] = [:]

    /// How letters of names are compared.
    package private(set) var caseMapping = CaseMapping.rfc1459
    /// The characters that channel names begin with.
    package private(set) var channelTypes = "#&"
    /// The marks that may stand before a channel name to reach some of its members only.
    package private(set) var statusMarks = ""

    package init() {}

    /// Takes a whole 005 line: the nick first, words for people last, tokens between.
    package mutating func update(_ message: IRCMessage) {
        for token in message.params.dropFirst().dropLast() { update(token) }
        // Asked for with every line, so they are kept at hand.
        caseMapping = CaseMapping(token: tokens[.caseMapping] ?? "")
        channelTypes = tokens[.channelTypes] ?? "#&"
        statusMarks = tokens[.statusMarks] ?? ""
    }

    private mutating func update(_ text: String) {
        guard !text.hasPrefix("-") else {
            if let token = Token(rawValue: String(text.dropFirst())) { tokens[token] = nil }
            return
        }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let token = Token(rawValue: String(parts[0])) else { return }
        tokens[token] = parts.count == 2 ? Self.unescape(parts[1]) : ""
    }

    /// The letters of members' ranks, as MODE has them, and their marks: `PREFIX=(ov)@+`.
    package var prefix: (letters: Substring, marks: Substring) {
        guard let prefix = tokens[.prefix] else { return ("ov", "@+") }
        guard let end = prefix.firstIndex(of: ")") else { return ("", "") }
        return (prefix.first == "(" ? prefix[..<end].dropFirst() : "", prefix[end...].dropFirst())
    }

    /// The marks of members' ranks (`@+`), as NAMES puts them before nicks.
    package var memberMarks: Substring { prefix.marks }

    /// The letters of channel modes, by kind: lists, always with a parameter, with one when set, without.
    package var channelModes: [String] {
        let kinds = tokens[.channelModes] ?? "b,k,l,imnpst"
        return kinds.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    package var nickLength: Int { number(.nickLength) ?? 30 }

    /// Bytes of a line with its CR LF, as others receive it.
    package var lineLength: Int { max(512, number(.lineLength) ?? 512) }

    /// How many nicks MONITOR takes, one at least; nil where it is not offered. Without a number it takes any.
    package var monitorLimit: Int? {
        guard let token = tokens[.monitor], !token.hasPrefix("-") else { return nil }
        let limit = Int(token) ?? .max
        return limit > 0 ? limit : nil
    }

    /// Whether the server throws away this client tag: `CLIENTTAGDENY=*,-typing` denies all others
    /// (<https://ircv3.net/specs/extensions/message-tags#rpl_isupport-token>).
    package func deniesTag(_ name: String) -> Bool {
        let denied = (tokens[.deniedTags] ?? "").split(separator: ",")
        return denied.contains { $0 == name } || denied.contains("*") && !denied.contains { $0 == "-\(name)" }
    }

    package var isWHOXOffered: Bool { tokens[.whox] != nil }

    /// The user mode that marks a bot.
    package var botMode: Character? { tokens[.bot]?.first }

    package var networkName: String? { tokens[.network] }

    /// The channel of a line's target: `@#channel` loses its status marks. Nil for a nick.
    package func channel(of target: String) -> ChannelName? { place(of: target)?.channel }

    /// Where in channels a line with this target is said; nil for a nick.
    package func place(of target: String) -> Place? {
        let name = target.drop { statusMarks.contains($0) && !channelTypes.contains($0) }
        guard let first = name.first, channelTypes.contains(first) else { return nil }
        let channel = ChannelName(String(name), caseMapping)
        let marks = target[..<name.startIndex]
        return marks.isEmpty ? .channel(channel) : .ranks(String(marks), channel)
    }

    /// Whom a line with this target reaches.
    package func target(_ target: String) -> Target {
        switch place(of: target) {
        case .channel(let channel): .channel(channel)
        case .ranks(let marks, let channel): .ranks(marks, channel)
        case .relayed(_, let channel): .channel(channel)
        case .direct, nil: .nick(Nick(target, caseMapping))
        }
    }

    private func number(_ token: Token) -> Int? { tokens[token].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// `\x20` stands for a space in a value.
    private static func unescape(_ value: Substring) -> String {
        guard value.contains("\\") else { return String(value) }
        var plain = ""
        var rest = value
        while let character = rest.popFirst() {
            if character == "\\", rest.first == "x", let byte = UInt8(rest.dropFirst().prefix(2), radix: 16) {
                plain.unicodeScalars.append(Unicode.Scalar(byte))
                rest = rest.dropFirst(3)
            } else {
                plain.append(character)
            }
        }
        return plain
    }
}
