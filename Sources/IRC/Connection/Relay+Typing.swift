import Domain
import IRCProtocol

/// That an answer is being worked on, for clients that show such a thing: <https://ircv3.net/specs/client-tags/typing>.
extension Relay {
    /// False where the server carries no such tag; and where its refusals carry no label, for nothing would then tell a refused
    /// tag from a refused answer.
    func showTyping(in target: Target) -> Bool {
        guard stage == .online, outbox.isProofOffered, registration.enabled.contains("message-tags"),
            !support.deniesTag("typing")
        else { return false }
        send(.whole("@+typing=active TAGMSG \(target.spelling)"))
        return true
    }
}
