import Domain
import Runtime

/// What follows from people and channels coming and going.
extension Bot {
    /// The bot's nick on a connection; a connection that is gone has nobody left to read it.
    func ownNick(on connection: ConnectionID) -> Nick {
        roster.presence(on: connection)?.ownNick ?? Nick("me", .ascii)
    }

    /// What the bot is called there: its nick, and the one that it should have and people know it by, while nobody else is
    /// seen under that.
    func names(on connection: ConnectionID) -> [Nick] {
        guard let presence = roster.presence(on: connection), let configured = settings.ownNicks.first else {
            return [ownNick(on: connection)]
        }
        let usual = Nick(configured, presence.mapping)
        let isFree = usual != presence.ownNick && presence.visit(at: usual) == nil
        return isFree ? [presence.ownNick, usual] : [presence.ownNick]
    }

    /// Whoever has the bot's nick meanwhile may be after passwords; people must not learn to say them to just any nick.
    func isUnderAnotherNick(on connection: ConnectionID) -> Bool {
        let mapping = mapping(of: connection)
        let nick = ownNick(on: connection)
        return !settings.ownNicks.isEmpty && !settings.ownNicks.contains { Self.isOwn(nick, $0, mapping) }
    }

    /// A server cuts nicks to its NICKLEN, 9 letters at least (RFC 1459 section 1.2), for everybody: then nobody else can
    /// have the whole one.
    private static func isOwn(_ nick: Nick, _ configured: String, _ mapping: CaseMapping) -> Bool {
        let length = nick.spelling.utf8.count
        let cut = length < 9 ? configured : String(decoding: configured.utf8.prefix(length), as: UTF8.self)
        return Nick(cut, mapping) == nick
    }

    /// Makes every key of a connection again by the casemapping that holds there now.
    func remap(_ mapping: CaseMapping, on connection: ConnectionID) {
        deferred.forgetUnwatched(on: connection)
        courtesy.remap(mapping, on: connection)
        answers.rekey { key in
            guard key.connection == connection else { return key }
            return SpokenKey(connection: connection, target: key.target.folded(by: mapping))
        }
    }

    /// The name that the operator of the bot knows a channel by.
    func configuredName(of channel: ChannelName, on connection: ConnectionID) -> ChannelName {
        roster.presence(on: connection)?.configuredName(of: channel) ?? channel
    }

    /// A place by that name: whatever is kept of a place goes on when the server renames its channel.
    func lasting(_ place: Place, on connection: ConnectionID) -> Place {
        place.channel.map { place.moved(to: configuredName(of: $0, on: connection)) } ?? place
    }

    func mapping(of connection: ConnectionID) -> CaseMapping {
        roster.presence(on: connection)?.mapping ?? .rfc1459
    }

    /// Nothing that was meant for the person may reach whoever comes to have the nick.
    func afterwards(_ ended: EndedLogin) -> [Work] {
        let connection = ended.visit.connection
        log.info(
            "A login ended",
            ["network": connection.network, "account": ended.account.name, "reason": "\(ended.reason)"])
        readings.forget(ended.visit)
        memory.forget(ended.visit)
        _ = gathering.takeRefused(of: ended.visit)
        let lane = Lane(connection: connection, nick: ended.nick)
        notices.discard(for: .visit(ended.visit))
        let noted = noteEnd(of: ended)
        guard roster.presence(on: connection) != nil else { return noted }
        let lines = Phrases.ended(ended, ownNick(on: connection)) ?? []
        return noted + [.discard(lane, thenSay: lines, to: addressee(of: ended))] + unwatchLater(lane)
    }

    /// Whoever lost a login: by the same visit, or where another took its place, by that.
    private func addressee(of ended: EndedLogin) -> Addressee {
        let own = Addressee.visit(ended.visit)
        guard nick(of: own) == nil else { return own }
        return (roster.presence(on: ended.visit.connection)?.visit(at: ended.nick)?.id).map { .visit($0) } ?? own
    }

    /// Takes in everything but messages; the logins that it ended.
    func take(_ event: ChatEvent) -> [EndedLogin] {
        let connection = event.connection
        switch event.kind {
        case .left(let nick, _):
            let visit = roster.presence(on: connection)?.visit(at: nick)
            let ended = roster.take(event)
            if let visit, roster.visit(visit.id) == nil { strangers.keep(visit) }
            return ended
        case .unwatched(let nick) where roster.presence(on: connection)?.isWatched(nick) == true:
            strangers.forget(nick, on: connection)
            return roster.take(event)
        default:
            return roster.take(event)
        }
    }

    /// To whom goes what is said to this person.
    func addressee(_ person: Person, _ visit: VisitID?, on connection: ConnectionID) -> Addressee {
        visit.map { .visit($0) } ?? .stranger(strangers.id(of: person, on: connection))
    }

    /// What waits for the old nick of someone logged in must not reach the next one to take it.
    func followed(_ event: ChatEvent) -> [Work] {
        guard case .renamed(let old, let new) = event.kind, old.nick != new else { return [] }
        let visit = roster.presence(on: event.connection)?.visit(at: new)
        guard let visit, visit.login != nil else { return [] }
        return [
            .discard(Lane(connection: event.connection, nick: old.nick), thenSay: [], to: .visit(visit.id)),
            .noteOpen(visit.id),
        ]
    }

    // MARK: Notices

    /// What somebody who is not logged in is told comes out of a small budget; what became of a password of theirs goes to
    /// the addressee and does not.
    func notice(_ lines: [String], to speaker: Speaker) -> [Work] {
        if speaker.place.relayed != nil { return remark(lines, in: speaker.place, on: speaker.connection) }
        let isWithin =
            speaker.login != nil
            || strangersBudget.allows(
                lines.count, to: speaker.person, on: speaker.connection.network, now: time.now())
        return isWithin ? notice(lines, to: speaker.addressee) : []
    }

    func notice(_ lines: [String], to addressee: Addressee) -> [Work] {
        guard !lines.isEmpty else { return [] }
        return notices.add(lines, for: addressee) ? [.notices(addressee)] : []
    }

    /// Says what waits for a person, one after the other, until nothing does; nothing where they have gone.
    func sayNotices(to addressee: Addressee) async {
        while let lines = notices.next(for: addressee) {
            guard let nick = nick(of: addressee) else { continue }
            let urgency: Utterance.Urgency = isLoggedIn(addressee) ? .notice : .stranger
            await say(lines, to: Lane(connection: addressee.connection, nick: nick), urgency)
        }
    }

    private func isLoggedIn(_ addressee: Addressee) -> Bool {
        guard case .visit(let visit) = addressee else { return false }
        return roster.visit(visit)?.login != nil
    }

    /// Where somebody is now; nil where they have gone.
    func nick(of addressee: Addressee) -> Nick? {
        switch addressee {
        case .visit(let id): roster.visit(id)?.nick ?? strangers.nick(formerly: id)
        case .stranger(let id): strangers.nick(of: id)
        }
    }

    func discard(_ lane: Lane, thenSay lines: [String], to addressee: Addressee) async {
        await link.discard(for: lane.nick, on: lane.connection)
        await perform(notice(lines, to: addressee))
    }

    @discardableResult
    func say(
        _ lines: [String], to lane: Lane, _ urgency: Utterance.Urgency, prefix: String = ""
    ) async -> Delivery {
        await link.speak(
            Utterance(
                on: lane.connection, to: .nick(lane.nick), at: address(of: lane), form: .notice, urgency: urgency,
                prefix: prefix, lines: lines))
    }

    /// Where whoever has this nick now was seen.
    func address(of lane: Lane) -> String? {
        roster.presence(on: lane.connection)?.visit(at: lane.nick)?.person?.address
            ?? strangers.address(of: lane.nick, on: lane.connection)
    }
}
