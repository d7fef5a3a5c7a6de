/// One line of the protocol, taken apart: `[@tags ][:prefix ]COMMAND [params][ :last param]`.
///
/// Keeps the bytes of the line and where its parts are; text is made, and broken UTF-8 repaired, only for the parts
/// somebody asks for, since most lines of a busy channel fall away. Runs of spaces count as one, as real servers send
/// them. Grammar: https://modern.ircdocs.horse/#message-format and https://ircv3.net/specs/extensions/message-tags
package struct IRCMessage: Sendable {
    /// In capitals; letters only, or three digits.
    package let command: String

    private let bytes: [UInt8]
    private let tags: Range<Int>
    private let source: Range<Int>
    private let parameters: [Range<Int>]

    /// Nil for a line without a command.
    package init?(_ line: ArraySlice<UInt8>) {
        bytes = Array(line)
        var reader = Reader(bytes: bytes)
        reader.skipSpaces()
        tags = reader.take(after: UInt8(ascii: "@"))
        source = reader.take(after: UInt8(ascii: ":"))
        let word = reader.word()
        guard !word.isEmpty, bytes[word].allSatisfy(Self.isCommandByte) else { return nil }
        command = String(decoding: bytes[word].lazy.map { $0 >= 0x61 ? $0 - 32 : $0 }, as: UTF8.self)
        var parameters: [Range<Int>] = []
        parameters.reserveCapacity(4)
        while let parameter = reader.parameter() { parameters.append(parameter) }
        self.parameters = parameters
    }

    /// For lines that are at hand as text.
    package init?(_ line: String) { self.init(Array(line.utf8)[...]) }

    /// `nick!user@host` or a server's name; nil where the line came without one.
    package var prefix: String? { source.isEmpty ? nil : text(source) }

    /// The prefix up to its `!`: the nick, or all of a server's name.
    package var nick: String? {
        guard !source.isEmpty else { return nil }
        let end = bytes[source].firstIndex(of: UInt8(ascii: "!")) ?? source.upperBound
        return text(source.lowerBound..<end)
    }

    /// Bytes without the tags.
    package var untaggedCount: Int { bytes.count - (tags.isEmpty ? 0 : tags.upperBound + 1) }

    /// Nicks that are no UTF-8 cannot be told apart once they are text.
    package var isPrefixText: Bool {
        bytes[source].allSatisfy { $0 < 0x80 } || String(validating: bytes[source], as: UTF8.self) != nil
    }

    /// A person's prefix has a `!`; a server's has none.
    package var isFromPerson: Bool { bytes[source].contains(UInt8(ascii: "!")) }

    package var count: Int { parameters.count }

    package var params: [String] { parameters.map(text) }

    package var last: String? { parameters.last.map(text) }

    /// The parameter at this place, or nil where the line has fewer.
    package subscript(index: Int) -> String? { index < parameters.count ? text(parameters[index]) : nil }

    /// The bytes of a parameter, exactly as they came.
    package func raw(_ index: Int) -> ArraySlice<UInt8>? { index < parameters.count ? bytes[parameters[index]] : nil }

    /// The value of a tag, unescaped; empty for one without a value, nil for one that is not there. The last one counts.
    package func tag(_ name: String) -> String? {
        guard !tags.isEmpty else { return nil }
        for tag in bytes[tags].split(separator: UInt8(ascii: ";")).reversed() {
            let key = tag.prefix { $0 != UInt8(ascii: "=") }
            guard key.elementsEqual(name.utf8) else { continue }
            return Self.unescape(tag.dropFirst(key.count + 1))
        }
        return nil
    }

    /// Writes the line as libircclient can take it: `[:prefix ]COMMAND ` and at most `limit` parameters, the last with a
    /// colon, no tags, at most `size` bytes in all, CR LF. The last parameter is cut to that; false, and nothing written,
    /// where not even what stands before it fits.
    ///
    /// The space after the command is not optional: without it the library reads parameters from stale memory.
    package func writeCanonical(to output: inout [UInt8], limit: Int, size: Int, last replacement: [UInt8]? = nil)
        -> Bool
    {
        let start = output.count
        if !source.isEmpty {
            output.append(UInt8(ascii: ":"))
            output += bytes[source]
            output.append(UInt8(ascii: " "))
        }
        output += command.utf8
        output.append(UInt8(ascii: " "))
        let kept = parameters.prefix(limit)
        for parameter in kept.dropLast() {
            output += bytes[parameter]
            output.append(UInt8(ascii: " "))
        }
        if !kept.isEmpty { output.append(UInt8(ascii: ":")) }
        guard output.count - start <= size else {
            output.removeLast(output.count - start)
            return false
        }
        if let last = kept.last {
            output += (replacement?[...] ?? bytes[last]).prefix(size - (output.count - start))
        }
        output += [0x0D, 0x0A]
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private static func isCommandByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func unescape(_ value: ArraySlice<UInt8>) -> String {
        guard value.contains(UInt8(ascii: "\\")) else { return String(decoding: value, as: UTF8.self) }
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in value {
            if isEscaped {
                switch byte {
                case UInt8(ascii: ":"): plain.append(UInt8(ascii: ";"))
                case UInt8(ascii: "s"): plain.append(UInt8(ascii: " "))
                case UInt8(ascii: "r"): plain.append(0x0D)
                case UInt8(ascii: "n"): plain.append(0x0A)
                default: plain.append(byte)
                }
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Goes through a line word by word.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func skipSpaces() {
            while position < bytes.count, bytes[position] == 0x20 { position += 1 }
        }

        mutating func word() -> Range<Int> {
            let start = position
            while position < bytes.count, bytes[position] != 0x20 { position += 1 }
            defer { skipSpaces() }
            return start..<position
        }

        /// The rest of a word that opens with this mark; empty where another word comes.
        mutating func take(after mark: UInt8) -> Range<Int> {
            guard position < bytes.count, bytes[position] == mark else { return position..<position }
            position += 1
            return word()
        }

        mutating func parameter() -> Range<Int>? {
            guard position < bytes.count else { return nil }
            guard bytes[position] == UInt8(ascii: ":") else { return word() }
            defer { position = bytes.count }
            return position + 1..<bytes.count
        }
    }
}

extension IRCMessage {
    /// A line to send, without its end; a last parameter that needs a colon gets one.
    package static func line(_ command: String, _ params: String...) -> String {
        var line = command
        for (index, param) in params.enumerated() {
            let isLast = index == params.count - 1
            let needsColon = param.isEmpty || param.utf8.first == UInt8(ascii: ":") || param.utf8.contains(0x20)
            line += isLast && needsColon ? " :\(param)" : " \(param)"
        }
        return line
    }
}
