public import Domain
import Synchronization

/// A mail server that keeps what it is given, or refuses it.
public final class Postbox: Sendable {
    private let state = Mutex((letters: [Letter](), isOut: false))

    public init() {}

    public var send: SendMail {
        { (letter: Letter) async throws(MailFailure) -> Void in
            let isOut = self.state.withLock { state in
                if !state.isOut { state.letters.append(letter) }
                return state.isOut
            }
            if isOut { throw MailFailure("out of order") }
        }
    }

    public var letters: [Letter] { state.withLock { $0.letters } }

    public func breaksDown() { state.withLock { $0.isOut = true } }

    /// The code in the latest letter.
    public var code: String? {
        let lines: [String] = letters.flatMap { $0.lines }
        return lines.flatMap { $0.split(separator: " ") }.map(String.init).last { $0.count == 14 && $0.contains("-") }
    }
}
