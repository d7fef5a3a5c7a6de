import FoundationEssentials

package import IRCProtocol

/// The other side of SCRAM (RFC 5802), for one login.
package struct SCRAMServer {
    private let hash: SHA2
    private let salted: [UInt8]
    private let iterations: Int
    private let salt: [UInt8]
    private var signed: [UInt8] = []
    private var opening = ""
    private var offered = ""
    /// Whether the client's proof was that of the password.
    package private(set) var isProofRight = false

    package init(_ hash: SHA2, password: String, salt: String = "salt of the test", iterations: Int = 4096) {
        self.hash = hash
        self.iterations = iterations
        self.salt = Array(salt.utf8)
        salted = hash.stretch(Array(password.utf8), salt: self.salt, iterations: iterations)
    }

    /// Answers `n,,n=…,r=…`; both in base 64, as they stand behind AUTHENTICATE.
    package mutating func offer(to message: String) -> String {
        opening = String(Self.text(message).dropFirst("n,,".count))
        let nonce = opening.firstRange(of: ",r=").map { String(opening[$0.upperBound...]) } ?? ""
        offered = "r=\(nonce)server,s=\(Data(salt).base64EncodedString()),i=\(iterations)"
        return Self.base64(offered)
    }

    package mutating func take(_ message: String) {
        let text = Self.text(message)
        guard let range = text.firstRange(of: ",p=") else { return }
        signed = Array("\(opening),\(offered),\(text[..<range.lowerBound])".utf8)
        let proof = Data(base64Encoded: String(text[range.upperBound...])) ?? Data()
        let stored = hash.digest(hash.code(of: Array("Client Key".utf8), key: salted))
        let key = zip(proof, hash.code(of: signed, key: stored)).map { $0 ^ $1 }
        isProofRight = hash.digest(key) == stored
    }

    /// `v=…`, in base 64.
    package var signature: String {
        let key = hash.code(of: Array("Server Key".utf8), key: salted)
        return Self.base64("v=\(Data(hash.code(of: signed, key: key)).base64EncodedString())")
    }

    package static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    package static func text(_ base64: String) -> String {
        String(decoding: Data(base64Encoded: base64) ?? Data(), as: UTF8.self)
    }
}
