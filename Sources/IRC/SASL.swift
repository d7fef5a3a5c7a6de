import Domain
import FoundationEssentials

/// The login by SASL: which mechanism is tried next, and what answers the server's challenge.
///
/// https://ircv3.net/specs/extensions/sasl-3.2
struct SASL: Sendable {
    /// An AUTHENTICATE line carries at most so many bytes; a payload that ends exactly there is followed by a lone `+`.
    static let chunk = 400

    private let settings: SASLSettings
    /// Those that can work here, most wanted first.
    private var untried: [SASLSettings.Mechanism]
    /// The one tried last.
    private(set) var current: SASLSettings.Mechanism?

    /// PLAIN sends the password as it is, so it is left out where nothing encrypts the connection, unless the operator
    /// allowed that; EXTERNAL is left out where there is no certificate to show.
    init(_ settings: SASLSettings, isEncrypted: Bool, isInsecureAllowed: Bool, hasCertificate: Bool) {
        self.settings = settings
        untried = settings.mechanisms.filter { mechanism in
            switch mechanism {
            case .external: isEncrypted && hasCertificate
            case .plain: settings.password != nil && (isEncrypted || isInsecureAllowed)
            }
        }
    }

    var isRequired: Bool { settings.isRequired }

    /// Leaves only what the server has: the value of its `sasl` capability, or numeric 908. Empty says nothing.
    mutating func offered(_ mechanisms: String) {
        let names = mechanisms.uppercased().split(separator: ",")
        guard !names.isEmpty else { return }
        untried.removeAll { mechanism in !names.contains { $0 == mechanism.rawValue } }
    }

    /// The line that starts the next mechanism; nil when none is left.
    mutating func begin() -> String? {
        guard !untried.isEmpty else { return nil }
        let next = untried.removeFirst()
        current = next
        return IRCMessage.line("AUTHENTICATE", next.rawValue)
    }

    /// The lines that answer a challenge; both mechanisms know only the empty one, and abort at any other.
    func answer(to challenge: String) -> [String] {
        guard challenge == "+", let current else { return [IRCMessage.line("AUTHENTICATE", "*")] }
        let payload =
            switch current {
            // The certificate names the account; atheme refuses some that are named beside it.
            case .external: Data()
            case .plain: Data("\0\(settings.account)\0\(settings.password?.reveal() ?? "")".utf8)
            }
        return Self.chunks(of: payload).map { IRCMessage.line("AUTHENTICATE", $0) }
    }

    private static func chunks(of payload: Data) -> [String] {
        let text = Array(payload.base64EncodedString().utf8)
        var chunks = stride(from: 0, to: text.count, by: chunk).map { start in
            String(decoding: text[start..<min(start + chunk, text.count)], as: UTF8.self)
        }
        if text.count % chunk == 0 { chunks.append("+") }
        return chunks
    }
}
