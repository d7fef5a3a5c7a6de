import Domain
import FoundationEssentials

/// The login by SASL: which mechanism is tried next, and what answers the server.
///
/// https://ircv3.net/specs/extensions/sasl-3.2
package struct SASL: Sendable {
    package enum Step: Equatable, Sendable {
        case respond([UInt8])
        /// To be done off the network's thread; the result goes to `derived`.
        case derive(KeyDerivation)
        /// The server is not to be trusted with this login. No other mechanism is tried: it may show more.
        case fail(String)
    }

    private enum Exchange: Sendable {
        case external
        case plain
        case ecdsa(SigningKey, isNamed: Bool)
        case scram(SCRAM)
    }

    /// An AUTHENTICATE line carries at most so many bytes; a payload that ends exactly there is followed by a lone `+`.
    package static let chunk = 400
    /// In bytes of base 64; no mechanism here has a challenge near this long.
    package static let maxChallengeLength = 4096
    /// Of ECDSA-NIST256P-CHALLENGE, in bytes.
    private static let challengeSize = 32

    private let settings: SASLSettings
    /// Those that can work here, most wanted first.
    private var untried: [SASLSettings.Mechanism]
    /// The one tried last.
    package private(set) var current: SASLSettings.Mechanism?
    private var exchange: Exchange?
    /// The chunks of a challenge that is not whole yet.
    private var incoming = ""
    /// As the server lists them, for people.
    private var listed: String?

    /// PLAIN sends the password as it is, so it is left out where nothing encrypts the connection, unless the operator
    /// allowed that; EXTERNAL is left out where there is no certificate to show. The others show nothing that is worth
    /// keeping, so they work in clear text too.
    package init(_ settings: SASLSettings, isEncrypted: Bool, isInsecureAllowed: Bool, hasCertificate: Bool) {
        self.settings = settings
        untried = settings.mechanisms.filter { mechanism in
            switch mechanism {
            case .external: isEncrypted && hasCertificate
            case .plain: settings.password != nil && (isEncrypted || isInsecureAllowed)
            case .ecdsa: settings.key != nil
            case .scramSHA256, .scramSHA512: settings.isFitForSCRAM
            }
        }
    }

    package var isRequired: Bool { settings.isRequired }

    /// Where the server does not say.
    package var account: String? { settings.account.isEmpty ? nil : settings.account }

    /// Whether the server may be believed when it calls the login good.
    package var isProven: Bool { if case .scram(let scram) = exchange { scram.isProven } else { true } }

    /// Why no mechanism is left.
    package var want: String {
        let configured = settings.mechanisms.map(\.rawValue).joined(separator: ", ")
        let offer = listed.map { "; the server has \($0)" } ?? ""
        return "no SASL mechanism of \(configured) works here\(offer)"
            + "; PLAIN needs TLS or insecure = true, EXTERNAL a client certificate"
    }

    /// For the log: a server may send back what it was sent.
    package func withoutPassword(_ text: String) -> String { settings.password?.hidden(in: text) ?? text }

    /// Leaves only what the server has: the value of its `sasl` capability, or numeric 908. Empty says nothing.
    package mutating func offered(_ mechanisms: String) {
        let names = mechanisms.uppercased().split(separator: ",")
        guard !names.isEmpty else { return }
        listed = names.joined(separator: ", ")
        untried.removeAll { mechanism in !names.contains { $0 == mechanism.rawValue } }
    }

    /// The line that starts the next mechanism; nil when none is left.
    package mutating func begin() -> String? {
        guard !untried.isEmpty else { return nil }
        let next = untried.removeFirst()
        guard let exchange = exchange(by: next) else { return begin() }
        current = next
        self.exchange = exchange
        incoming = ""
        return IRCMessage.line("AUTHENTICATE", next.rawValue)
    }

    /// Takes a chunk of a challenge; nil until it is whole.
    package mutating func receive(_ chunk: String) -> Step? {
        let size = chunk.utf8.count
        guard size <= Self.chunk, incoming.utf8.count + size <= Self.maxChallengeLength else {
            return .fail("the server's challenge is too long")
        }
        if chunk != "+" { incoming += chunk }
        guard size < Self.chunk else { return nil }
        defer { incoming = "" }
        guard let challenge = Data(base64Encoded: incoming) else {
            return .fail("the server's challenge is no base 64")
        }
        return answer(to: Array(challenge))
    }

    /// Takes what a derivation came to; nil where it is not awaited any more.
    package mutating func derived(_ key: [UInt8], by work: KeyDerivation) -> Step? {
        guard case .scram(var scram) = exchange else { return nil }
        defer { exchange = .scram(scram) }
        return scram.derived(key, by: work)
    }

    /// The lines that carry a payload.
    package static func lines(for payload: [UInt8]) -> [String] {
        let text = Array(Data(payload).base64EncodedString().utf8)
        var chunks = stride(from: 0, to: text.count, by: chunk).map { start in
            String(decoding: text[start..<min(start + chunk, text.count)], as: UTF8.self)
        }
        if text.count % chunk == 0 { chunks.append("+") }
        return chunks.map { IRCMessage.line("AUTHENTICATE", $0) }
    }

    private func exchange(by mechanism: SASLSettings.Mechanism) -> Exchange? {
        switch mechanism {
        case .external: .external
        case .plain: .plain
        case .ecdsa: settings.key.map { .ecdsa($0, isNamed: false) }
        case .scramSHA256: scram(.sha256)
        case .scramSHA512: scram(.sha512)
        }
    }

    private func scram(_ hash: SHA2) -> Exchange? {
        settings.password.flatMap { SCRAM(hash, account: settings.account, password: $0) }.map(Exchange.scram)
    }

    private mutating func answer(to challenge: [UInt8]) -> Step {
        switch exchange {
        case .scram(var scram):
            defer { exchange = .scram(scram) }
            return scram.respond(to: challenge)
        case .ecdsa(let key, let isNamed):
            exchange = .ecdsa(key, isNamed: true)
            return isNamed ? sign(challenge, with: key) : opening(challenge, Array(settings.account.utf8))
        // The certificate names the account; atheme refuses some that are named beside it.
        case .external: return opening(challenge, [])
        case .plain:
            // Whom to act as, who it is, the password (RFC 4616 section 2); named twice as in the examples that networks
            // and the suites that test clients go by.
            let account = settings.account
            return opening(challenge, Array("\(account)\0\(account)\0\(settings.password?.reveal() ?? "")".utf8))
        case nil: return .fail(Self.odd)
        }
    }

    private static let odd = "the server's challenge is none of the mechanism"

    /// The answer to the empty challenge that these mechanisms begin with.
    private func opening(_ challenge: [UInt8], _ payload: [UInt8]) -> Step {
        challenge.isEmpty ? .respond(payload) : .fail(Self.odd)
    }

    private func sign(_ challenge: [UInt8], with key: SigningKey) -> Step {
        guard challenge.count == Self.challengeSize, let signature = key.signature(of: challenge) else {
            return .fail(Self.odd)
        }
        return .respond(signature)
    }
}
