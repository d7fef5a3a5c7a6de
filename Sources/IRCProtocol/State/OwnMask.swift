package import Domain

/// The bot's own `nick!user@host`, as others see it before its lines: only what the server said about it.
///
/// It takes room in every line that others receive (`LineSplitter`).
package struct OwnMask: Sendable {
    package private(set) var nick: Nick
    package private(set) var user: String?
    package private(set) var host: String?

    package init(nick: Nick) { self.nick = nick }

    package func isSelf(_ other: String, _ mapping: CaseMapping) -> Bool { nick == Nick(other, mapping) }

    package mutating func rename(to nick: Nick) { self.nick = nick }

    /// From the prefix of a line the bot caused: the echo of its JOIN shows what others see.
    package mutating func learn(from person: Person) {
        guard !person.host.isEmpty else { return }
        user = person.user
        host = person.host
    }

    /// CHGHOST of the bot itself.
    package mutating func move(user: String, host: String) {
        self.user = user
        self.host = host
    }

    /// Numeric 396 tells the new host, some servers with the user before it.
    package mutating func display(_ host: String) {
        let parts = host.split(separator: "@", maxSplits: 1)
        if parts.count == 2 { user = String(parts[0]) }
        self.host = parts.last.map(String.init)
    }
}

extension Person {
    /// From `nick!user@host`; what is missing is empty.
    package init(mask: String, _ mapping: CaseMapping, servicesAccount: String? = nil) {
        let nick = mask.utf8.prefix { $0 != UInt8(ascii: "!") }
        let address = mask.utf8[nick.endIndex...].dropFirst()
        let user = address.prefix { $0 != UInt8(ascii: "@") }
        let host = address[user.endIndex...].dropFirst()
        self.init(
            nick: Nick(String(Substring(nick)), mapping), user: String(Substring(user)), host: String(Substring(host)),
            servicesAccount: servicesAccount)
    }
}
