import Domain
import IRCProtocol
import Runtime

/// The bot's own nick: kept where the server lets it be, and got back where somebody else has it.
extension Relay {
    /// Goes on from whatever nick the server gave, now or later.
    func settleNick() {
        guard let own, stage == .online else { return }
        regain.has(own.nick, nickLength: support.nickLength, at: time.now(), mapping)
        guard regain.next != nil else { return regaining.cancel() }
        if support.monitorLimit != nil { write("MONITOR + \(regain.wanted)") }
        awaitNick()
    }

    private func awaitNick() {
        guard let next = regain.next else { return regaining.cancel() }
        regaining.set(after: next - time.now()) { [weak self] in self?.askForNick() }
    }

    private func askForNick() {
        if regain.beginAsking(at: time.now()) { send(.whole("ISON \(regain.wanted)")) }
        awaitNick()
    }

    /// Somebody stopped having this nick.
    func freed(_ nick: String) {
        guard stage == .online, regain.isWanted(nick, mapping), regain.mayTake(at: time.now()) else { return }
        send(.nick(regain.wanted))
    }

    /// The answer to ISON (303): the nicks of those asked for who are there.
    func nicksOnline(_ message: IRCMessage) {
        let isThere = (message.last ?? "").split(separator: " ").contains { regain.isWanted(String($0), mapping) }
        if message.count > 1, !isThere { freed(regain.wanted) }
    }

    /// A nick was refused to the bot that is online under another: true where that is the one it tries to get back.
    func isRefusedNick(_ message: IRCMessage) -> Bool {
        stage == .online && message.count > 2 && regain.isWanted(message[1] ?? "", mapping)
    }
}
