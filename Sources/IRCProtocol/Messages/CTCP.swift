/// A client-to-client message: a whole text between `\x01`, the second one often left out.
///
/// https://modern.ircdocs.horse/ctcp
package struct CTCP: Equatable, Sendable {
    /// In capitals.
    package let command: String
    package let argument: ArraySlice<UInt8>

    /// Nil where the text is not CTCP; a lone `\x01` is one without a command.
    package init?(_ text: ArraySlice<UInt8>) {
        guard text.first == 0x01 else { return nil }
        let body = text.dropFirst().prefix { $0 != 0x01 }
        let word = body.prefix { $0 != 0x20 }
        command = String(decoding: word, as: UTF8.self).uppercased()
        argument = body.dropFirst(word.count + 1)
    }
}

/// What is answered to CTCP, and how often: PING, VERSION and SOURCE, three in a minute from all the world together.
///
/// Never DCC, FINGER, TIME or USERINFO: those tell strangers about the machine, or open a connection.
package struct CTCPReplies: Sendable {
    package static let most = 3
    package static let span = Duration.seconds(60)
    /// A longer PING is somebody using the bot to send text.
    package static let maxPingLength = 64

    private let version: String
    private let source: String
    private var answeredAt: [Duration] = []

    package init(version: String, source: String) {
        self.version = version
        self.source = source
    }

    /// The text of the NOTICE that answers, or nil for silence. `now` is of a monotonic clock.
    package mutating func answer(to request: CTCP, at now: Duration) -> String? {
        let words: String
        switch request.command {
        case "PING":
            guard request.argument.count <= Self.maxPingLength,
                request.argument.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
                let token = String(validating: request.argument, as: UTF8.self)
            else { return nil }
            words = token
        case "VERSION": words = version
        case "SOURCE": words = source
        default: return nil
        }
        answeredAt.removeAll { $0 + Self.span <= now }
        guard answeredAt.count < Self.most else { return nil }
        answeredAt.append(now)
        return words.isEmpty ? "\u{1}\(request.command)\u{1}" : "\u{1}\(request.command) \(words)\u{1}"
    }
}
