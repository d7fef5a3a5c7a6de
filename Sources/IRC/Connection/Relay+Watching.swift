import Domain
import IRCProtocol
import Runtime

/// Who is watched by the server for the link's reader.
extension Relay {
    /// Asks the server to tell of a nick; false where it would not. One place in its list is for the bot's own nick.
    func watch(_ nick: Nick) -> Bool {
        guard stage == .online, let limit = support.monitorLimit, !nick.spelling.contains(","),
            !regain.isWanted(nick.spelling, mapping), watches.add(nick, limit: limit - 1, at: time.now())
        else { return false }
        send(.whole("MONITOR + \(nick.spelling)"))
        awaitWatches()
        return true
    }

    func unwatch(_ nick: Nick) {
        guard watches.remove(nick), stage == .online else { return }
        send(.whole("MONITOR - \(nick.spelling)"))
    }

    /// Those of the list who are there (730): masks, or nicks alone.
    func watchedAreThere(_ message: IRCMessage) {
        flushLibrary()
        for target in (message.last ?? "").split(separator: ",") {
            let person = target.contains("!") ? Person(mask: String(target), mapping) : nil
            let nick = person?.nick ?? Nick(String(target), mapping)
            switch watches.sight(nick) {
            case .expected: emit(.chat(.watched(nick, person)))
            case .unexpected: stopWatching(nick)
            case .nobodys: break
            }
        }
    }

    /// Those of the list who are not there, or not any more (731). Whoever has the nick next is somebody else.
    func watchedAreGone(_ message: IRCMessage) {
        flushLibrary()
        for target in (message.last ?? "").split(separator: ",") {
            let name = target.prefix { $0 != "!" }
            stopWatching(Nick(String(name), mapping))
            freed(String(name))
        }
    }

    /// The server's list is full (734): `nick limit targets :text`.
    func watchIsRefused(_ message: IRCMessage) {
        guard message.count > 3 else { return }
        flushLibrary()
        for target in (message[2] ?? "").split(separator: ",") { stopWatching(Nick(String(target), mapping)) }
    }

    private func stopWatching(_ nick: Nick) {
        if watches.remove(nick) { forget(nick) }
    }

    private func awaitWatches() {
        guard let next = watches.next else { return watching.cancel() }
        watching.set(after: next - time.now()) { [weak self] in
            guard let self else { return }
            for nick in watches.expired(at: time.now()) { forget(nick) }
            awaitWatches()
        }
    }

    /// Takes a nick off the server's list, where it may not be; that does no harm.
    private func forget(_ nick: Nick) {
        send(.whole("MONITOR - \(nick.spelling)"))
        emit(.chat(.unwatched(nick)))
    }

    func remapWatches() {
        for nick in watches.remap(mapping) { forget(nick) }
    }
}
