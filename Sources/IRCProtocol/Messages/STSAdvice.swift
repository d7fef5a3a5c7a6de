/// What a server says of TLS in its capability `sts`.
///
/// https://ircv3.net/specs/extensions/sts
package struct STSAdvice: Equatable, Sendable {
    /// Longer is cut to this: ten years.
    package static let longest = 315_360_000

    /// Where TLS is spoken; counts in clear text only.
    package let port: Int?
    /// How long TLS is to be kept to, zero for no longer; counts over TLS only.
    package let duration: Duration?

    /// From a `CAP LS` or `CAP NEW`; nil where it does not name the capability.
    package init?(_ message: IRCMessage) {
        guard message.command == "CAP", message.count >= 3, ["LS", "NEW"].contains(message[1]?.uppercased()),
            let capability = message.last?.split(separator: " ").first(where: { $0.hasPrefix("sts=") })
        else { return nil }
        self.init(value: capability.dropFirst("sts=".count))
    }

    /// From `port=6697,duration=2592000`; keys that are not known, and values that are none, say nothing.
    package init(value: Substring) {
        var values: [Substring: Int] = [:]
        for part in value.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            values[pair[0]] = Int(pair[1]) ?? Self.longest
        }
        port = values["port"].flatMap { (1...65535).contains($0) ? $0 : nil }
        duration = values["duration"].map { .seconds(min($0, Self.longest)) }
    }
}
