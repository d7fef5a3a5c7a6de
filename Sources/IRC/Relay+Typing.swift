import Domain

/// That an answer is being worked on, for clients that show such a thing: <https://ircv3.net/specs/client-tags/typing>.
extension Relay {
    /// False where the server carries no such tag.
    func showTyping(in target: Target) -> Bool {
        guard stage == .online, registration.enabled.contains("message-tags"), !support.deniesTag("typing") else {
            return false
        }
        send(.whole("@+typing=active TAGMSG \(target.spelling)"))
        return true
    }
}
