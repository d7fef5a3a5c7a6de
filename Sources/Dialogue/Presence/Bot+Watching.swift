import Domain
import Runtime

/// People who share no channel with the bot and log in: the server is asked to tell when they leave.
///
/// A command waits for the server's word that whoever said it has the nick, at the same address; from that word on, their
/// leaving is told before anybody else can have it. Nobody is watched longer than for a login.
extension Bot {
    // MARK: Deciding

    /// Has the speaker watched, and goes on with the command when that is settled.
    func watch(_ speaker: Speaker, _ command: Command, _ arguments: [String]) -> [Work] {
        let lane = Lane(connection: speaker.connection, nick: speaker.nick)
        deferred.awaitWatch(of: lane, Unwatched(speaker: speaker, command: command, arguments: arguments))
        return [.watch(lane)]
    }

    /// Whether this is said by someone who is about to be watched, and so waits: LOGIN and a question may come in one go.
    func isAwaitingWatch(_ message: Message, on connection: ConnectionID) -> Bool {
        message.place == .direct && deferred.add(message, of: Lane(connection: connection, nick: message.sender.nick))
    }

    /// Goes on with what waits for the server's word.
    func watchedFor(_ event: ChatEvent) -> [Work] {
        switch event.kind {
        case .watched(let nick, _):
            let lane = Lane(connection: event.connection, nick: nick)
            return goOn(lane) + unwatchLater(lane)
        case .unwatched(let nick):
            return goOn(Lane(connection: event.connection, nick: nick))
        case .offline:
            deferred.forgetUnwatched(on: event.connection)
            return []
        default:
            return []
        }
    }

    /// Where somebody else turned out to have the nick, whoever waited is gone, and nothing is done for them. Where the
    /// server does not watch, the command finds that its speaker has no visit.
    private func goOn(_ lane: Lane) -> [Work] {
        guard let waiting = deferred.takeUnwatched(lane) else { return [] }
        let person = waiting.speaker.person
        guard nick(of: waiting.speaker.addressee) == lane.nick else { return [] }
        let known = roster.presence(on: lane.connection)?.visit(at: lane.nick)?.person
        guard known == nil || known?.address == person.address else { return [] }
        let hearing = roster.heard(person, on: lane.connection, now: time.now())
        let speaker = Speaker(
            connection: lane.connection, person: person, place: .direct,
            addressee: addressee(person, hearing.visit, on: lane.connection), login: hearing.login)
        return (hearing.ended.map(afterwards) ?? []) + waiting.command.answer(self, speaker, waiting.arguments)
            + waiting.messages.flatMap { hear($0, on: lane.connection) }
    }

    /// To be done when all that was decided now has begun.
    func unwatchLater(_ lane: Lane) -> [Work] {
        roster.presence(on: lane.connection)?.isWatched(lane.nick) == true ? [.unwatch(lane)] : []
    }

    // MARK: Doing

    func watch(_ lane: Lane) async {
        if !deferred.isUnwatching(lane), await link.watch(lane.nick, on: lane.connection) { return }
        await perform(goOn(lane))
    }

    func unwatch(_ lane: Lane) async {
        let visit = roster.presence(on: lane.connection)?.visit(at: lane.nick)
        guard visit.map({ !deferred.isHeld($0.id) }) ?? true, roster.unwatch(lane.nick, on: lane.connection) else {
            return
        }
        if let visit, roster.visit(visit.id) == nil { strangers.keep(visit) }
        deferred.beginUnwatching(lane)
        await link.unwatch(lane.nick, on: lane.connection)
        deferred.endUnwatching(lane)
    }
}
