import COpenSSL
package import Domain
import FoundationEssentials

/// The client's side of one SCRAM exchange (RFC 5802, RFC 7677), without channel binding.
///
/// The password itself never goes out, and only who knows what was made of it can answer with the right signature: a
/// server that cannot is not the one the account is at, whatever it says afterwards.
package struct SCRAM: Sendable {
    /// RFC 7677 section 4: fewer make a stolen exchange cheap to guess from.
    package static let fewestIterations = 4096
    /// More would only keep the bot busy; servers ask for some ten thousand.
    package static let maxIterations = 1_000_000

    private enum Stage: Sendable {
        case opening
        case awaitingSalt
        case deriving(KeyDerivation, nonce: String, offer: String)
        case awaitingSignature([UInt8])
        case proven
    }

    private let hash: SHA2
    private let password: Secret
    private let nonce: String
    /// `client-first-message-bare` of the RFC.
    private let opening: String
    private var stage = Stage.opening

    /// Nil where account or password cannot be prepared.
    package init?(_ hash: SHA2, account: String, password: Secret, nonce: String = Self.freshNonce()) {
        guard let account = SASLprep.prepared(account), let password = SASLprep.prepared(password.reveal()) else {
            return nil
        }
        self.hash = hash
        self.password = Secret(password)
        self.nonce = nonce
        opening = "n=\(account.replacing("=", with: "=3D").replacing(",", with: "=2C")),r=\(nonce)"
    }

    /// The server has shown that it knows the account.
    package var isProven: Bool { if case .proven = stage { true } else { false } }

    /// Takes the server's next message; the first is the empty one.
    package mutating func respond(to message: [UInt8]) -> SASL.Step {
        switch stage {
        case .opening:
            guard message.isEmpty else { return .fail("the server speaks out of turn") }
            stage = .awaitingSalt
            return .respond(Array("n,,\(opening)".utf8))
        case .awaitingSalt: return derive(from: message)
        case .awaitingSignature(let signature): return verify(message, signature)
        case .deriving, .proven: return .fail("the server speaks out of turn")
        }
    }

    /// Takes the salted password; nil where no such work is awaited.
    package mutating func derived(_ salted: [UInt8], by work: KeyDerivation) -> SASL.Step? {
        guard case .deriving(work, let nonce, let offer) = stage else { return nil }
        // "biws" is the header "n,," in base 64.
        let ending = "c=biws,r=\(nonce)"
        let signed = Array("\(opening),\(offer),\(ending)".utf8)
        let clientKey = hash.code(of: Array("Client Key".utf8), key: salted)
        let clientSignature = hash.code(of: signed, key: hash.digest(clientKey))
        let proof = Data(zip(clientKey, clientSignature).map { $0 ^ $1 })
        let serverKey = hash.code(of: Array("Server Key".utf8), key: salted)
        stage = .awaitingSignature(hash.code(of: signed, key: serverKey))
        return .respond(Array("\(ending),p=\(proof.base64EncodedString())".utf8))
    }

    /// `r=nonce,s=salt,i=count`, and extensions that may be ignored.
    private mutating func derive(from message: [UInt8]) -> SASL.Step {
        guard let offer = String(validating: message, as: UTF8.self) else { return .fail(Self.malformed) }
        let fields = Self.fields(of: offer)
        if let error = Self.error(in: fields) { return .fail(error) }
        guard fields.count >= 3, fields[0].name == "r", fields[1].name == "s", fields[2].name == "i",
            let salt = Data(base64Encoded: fields[1].value), !salt.isEmpty, let iterations = Int(fields[2].value)
        else { return .fail(Self.malformed) }
        let nonce = fields[0].value
        guard nonce.utf8.starts(with: self.nonce.utf8), nonce.utf8.count > self.nonce.utf8.count,
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .fail("the server's nonce does not continue the bot's, so it answers somebody else") }
        guard (Self.fewestIterations...Self.maxIterations).contains(iterations) else {
            return .fail(
                "the server asks for \(iterations) iterations, and \(Self.fewestIterations) to \(Self.maxIterations)"
                    + " are acceptable")
        }
        let work = KeyDerivation(hash: hash, password: password, salt: Array(salt), iterations: iterations)
        stage = .deriving(work, nonce: nonce, offer: offer)
        return .derive(work)
    }

    /// `v=signature`, or `e=error`.
    private mutating func verify(_ message: [UInt8], _ expected: [UInt8]) -> SASL.Step {
        guard let text = String(validating: message, as: UTF8.self) else { return .fail(Self.malformed) }
        let fields = Self.fields(of: text)
        if let error = Self.error(in: fields) { return .fail(error) }
        guard let field = fields.first, field.name == "v", let signature = Data(base64Encoded: field.value) else {
            return .fail(Self.malformed)
        }
        guard SHA2.areEqual(Array(signature), expected) else { return .fail(Self.unproven) }
        stage = .proven
        return .respond([])
    }

    /// Said also where the server calls the login good without a signature.
    package static let unproven =
        "the server did not prove that it knows the account: it may be another one that poses as it"
    private static let malformed = "the server's SCRAM message is malformed"

    /// By bytes: what the server sends after a comma must not join it to one character.
    private static func fields(of message: String) -> [(name: String, value: String)] {
        message.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { field in
            guard field.dropFirst().first == UInt8(ascii: "=") else { return ("", "") }
            return (String(Substring(field.prefix(1))), String(Substring(field.dropFirst(2))))
        }
    }

    /// In the server's words, as far as these are words of the RFC.
    private static func error(in fields: [(name: String, value: String)]) -> String? {
        guard let field = fields.first, field.name == "e" else { return nil }
        let isWord = field.value.utf8.count <= 50 && field.value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return "the server refuses it: \(isWord ? field.value : "other-error")"
    }

    private static func freshNonce() -> String {
        var bytes = [UInt8](repeating: 0, count: 24)
        let status = unsafe RAND_bytes(&bytes, Int32(bytes.count))
        precondition(status == 1, "libcrypto: the system gives no random numbers")
        return Data(bytes).base64EncodedString()
    }
}
