package import Domain

/// The login by a line to services after the welcome, as networks without SASL have it.
///
/// What services say is made for people, and differs from one to the next: the settings tell which words mean yes and no.
package struct NickServ: Sendable {
    package enum Answer: Equatable, Sendable {
        case accepted
        /// Services have seen the login and do not want it.
        case refused(String)
        /// There is nobody to ask.
        case unavailable(String)
    }

    package let settings: NickServSettings

    package init(settings: NickServSettings) { self.settings = settings }

    /// The line that asks; never log it.
    package var line: String {
        settings.command.replacing("{account}", with: settings.account)
            .replacing("{password}", with: settings.password.reveal())
    }

    /// What a line of the server says about the login; nil where it says nothing.
    ///
    /// Only the services' own nick is believed, and a server about whom it cannot reach: anybody may send the right words.
    package func answer(in message: IRCMessage, to own: OwnMask, _ mapping: CaseMapping) -> Answer? {
        switch message.command {
        case "NOTICE", "PRIVMSG":
            guard isFromServices(message, mapping), message.count == 2, own.isSelf(message[0] ?? "", mapping) else {
                return nil
            }
            return answer(in: TextFormatting.stripped(message[1] ?? ""))
        case "MODE":
            // The mode of those who are logged in; the bot's own line about itself would be another +r, "restricted".
            guard isFromServices(message, mapping), own.isSelf(message[0] ?? "", mapping) else { return nil }
            return isRegistered(by: message[1] ?? "") ? .accepted : nil
        case "401", "402", "440":
            return isAddressed(message[1] ?? "", mapping) ? .unavailable(words(message.last)) : nil
        case "421":
            let command = settings.command.prefix { $0 != " " }.uppercased()
            return message[1]?.uppercased() == command ? .unavailable(words(message.last)) : nil
        default: return nil
        }
    }

    private func answer(in text: String) -> Answer? {
        let folded = text.lowercased()
        let holdsAny = { (parts: [String]) in parts.contains { folded.contains($0.lowercased()) } }
        if holdsAny(settings.accepted) { return .accepted }
        return holdsAny(settings.refused) ? .refused(words(text)) : nil
    }

    private func isFromServices(_ message: IRCMessage, _ mapping: CaseMapping) -> Bool {
        message.nick.map { Nick($0, mapping) == Nick(settings.nick, mapping) } ?? false
    }

    /// `NickServ`, or `NickServ@services.example.org` as the line may have it.
    private func isAddressed(_ target: String, _ mapping: CaseMapping) -> Bool {
        let parts = target.split(separator: "@", maxSplits: 1)
        let isNick = parts.first.map { Nick(String($0), mapping) == Nick(settings.nick, mapping) } ?? false
        return isNick || (!target.isEmpty && settings.command.contains("@\(target)"))
    }

    private func isRegistered(by modes: String) -> Bool {
        var isSet = true
        for mode in modes {
            switch mode {
            case "+": isSet = true
            case "-": isSet = false
            case "r", "R": if isSet { return true }
            default: break
            }
        }
        return false
    }

    /// For the log: services may repeat what they were told.
    private func words(_ text: String?) -> String {
        settings.password.hidden(in: TextFormatting.stripped(text ?? ""))
    }
}
