import IRC
import Network

/// What may stand in the configuration: each says what is wrong with a value and the cure, or nil.
enum Checks {
    static func range<Number: Comparable>(_ range: ClosedRange<Number>) -> (Number) -> String? {
        { range.contains($0) ? nil : "out of range. Give a number from \(range.lowerBound) to \(range.upperBound)." }
    }

    static func duration(_ range: ClosedRange<Duration>) -> (Duration) -> String? {
        { duration in
            if range.contains(duration) { return nil }
            return "out of range. Give \(range.lowerBound.spelling) to \(range.upperBound.spelling)."
        }
    }

    /// RFC 2812 section 2.3.1, at any length that a network may allow.
    static func nick(_ nick: String) -> String? {
        let isFirstRight = nick.utf8.first.map { !isDigit($0) && $0 != UInt8(ascii: "-") } ?? false
        guard isFirstRight, nick.utf8.count <= 30, nick.utf8.allSatisfy(isNickByte) else {
            return "not a nick. Use 1 to 30 of the letters a-z and []\\`_^{|}, then also digits and -."
        }
        return nil
    }

    static func nicks(_ nicks: [String]) -> String? { nicks.lazy.compactMap(nick).first }

    static func username(_ name: String) -> String? {
        let isRight =
            (1...16).contains(name.utf8.count)
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F }
        return isRight ? nil : "no user name. Give 1 to 16 of the letters a-z, digits, - and _."
    }

    static func realname(_ name: String) -> String? {
        line(name) ?? (name.utf8.count <= 150 ? nil : "too long: networks cut it. Give at most 150 bytes.")
    }

    /// Text that goes out as part of one line.
    static func line(_ text: String) -> String? {
        if text.isEmpty { return "empty. Give it a text, or take the key out." }
        let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isClean ? nil : "holds a control character. Write it on one line."
    }

    static func lines(_ texts: [String]) -> String? { texts.lazy.compactMap(line).first }

    /// Text that goes out as one parameter of a line.
    static func word(_ text: String) -> String? {
        line(text) ?? (text.contains(" ") || text.hasPrefix(":") ? "no word. Leave out spaces and colons." : nil)
    }

    static func legacyEncoding(_ name: String) -> String? {
        LegacyEncoding(name) == nil
            ? "no encoding that this machine can read lines of IRC in. Give one of `iconv -l`, e.g. \"windows-1252\"."
            : nil
    }

    static func notEmpty(_ text: String) -> String? {
        text.isEmpty ? "empty. Give it a text, or take the key out." : nil
    }

    static func networkName(_ name: String) -> String? {
        let isRight =
            (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
        return isRight ? nil : "no name for a network. Give 1 to 32 letters, digits, dots, - or _."
    }

    /// A host name, an IPv4 address, or an IPv6 address without brackets.
    static func host(_ host: String) -> String? {
        if host.contains("://") { return "a URL. Give the host alone, e.g. \"irc.example.org\"." }
        if host.contains("/") || host.contains("@") || host.contains("[") {
            return "no host. Give a name or an address alone, e.g. \"irc.example.org\" or \"::1\"."
        }
        let isIPv6 = host.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1
        if host.contains(":") && !isIPv6 { return "holds a port. Give the host alone and write port = … below it." }
        let isRight =
            (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy {
                isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || (isIPv6 && ($0 == 0x3A || $0 == 0x25))
            }
        return isRight ? nil : "no host. Give a name or an address, e.g. \"irc.example.org\"."
    }

    /// Names of channels begin with one of RFC 2811's four marks and hold no space, comma or control character.
    static func channel(_ name: String) -> String? {
        let isRight =
            ["#", "&", "+", "!"].contains(name.first) && (2...100).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2C && $0 != 0x7F }
        return isRight ? nil : "no channel. Write it with its mark and without spaces or commas, e.g. \"#confab\"."
    }

    /// RFC 2812 section 2.3.1 `key`.
    static func channelKey(_ key: String) -> String? {
        let isRight = (1...50).contains(key.utf8.count) && key.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2C && $0 != 0x7F }
        return isRight ? nil : "no channel key. Give the word of mode +k, without spaces or commas."
    }

    static func proxy(_ text: String) -> String? {
        let schemes = ["socks4", "socks4a", "socks5", "socks5h", "http", "https"]
        guard let url = WebAddress(text), schemes.contains(url.scheme), url.path.isEmpty, url.port != nil else {
            return "no proxy. Write e.g. \"socks5h://127.0.0.1:9050\" or \"http://proxy.example.org:3128\"."
        }
        return host(url.host)
    }

    static func baseURL(_ text: String) -> String? {
        guard let url = WebAddress(text), ["http", "https"].contains(url.scheme) else {
            return "no URL of an API. Write e.g. \"https://api.example.org/v1\"."
        }
        if url.hasUser { return "holds a user name or key. Keep the key in key_file." }
        if text.contains("?") || text.contains("#") { return "holds a ? or #. Give the part before it." }
        if ["/chat/completions", "/completions"].contains(where: { url.path.hasSuffix($0) }) {
            return "names an endpoint. End it before /completions or /chat: the bot adds them by kind."
        }
        return host(url.host)
    }

    /// Whether nothing sent there leaves this machine.
    static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || host == "::1" || host.lowercased() == "localhost"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isNickByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || (0x5B...0x60).contains(byte) || (0x7B...0x7D).contains(byte) || byte == 0x2D
    }
}
