import Domain
import Runtime
import Storage

/// QUIET and RESUME, by which a channel's operators silence the bot there, and what newcomers are told.
extension Bot {
    // MARK: Deciding

    /// Whether the bot hears no questions there and says nothing.
    func isQuiet(_ channel: ChannelName, on connection: ConnectionID) -> Bool {
        !memory.quiet.isEmpty && memory.quiet.contains(quietKey(channel, connection))
    }

    /// In the channel itself, or in private with the channel's name. Who has op there is known from the server.
    func setQuiet(_ isQuiet: Bool, _ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let connection = speaker.connection
        let bot = ownNick(on: connection)
        let named = arguments.first.map { ChannelName($0, mapping(of: connection)) }
        guard let channel = named ?? speaker.place.channel, rules(for: channel, on: connection) != nil else {
            return notice(Phrases.quietWhere(isQuiet, bot), to: speaker)
        }
        guard roster.presence(on: connection)?.isOperator(speaker.nick, of: channel) == true else {
            return notice(Phrases.quietIsForOperators(channel), to: speaker)
        }
        let key = quietKey(channel, connection)
        if isQuiet { memory.quiet.insert(key) } else { memory.quiet.remove(key) }
        if isQuiet { takeBack(answersIn: channel, on: connection) }
        let name = "\(speaker.nick)!\(speaker.person.address) on \(connection.network)"
        log.info(
            isQuiet ? "A channel's operator silenced the bot there" : "A channel's operator lets the bot speak again",
            ["network": connection.network, "channel": channel, "by": name])
        return [.setQuiet(isQuiet, key, by: name)]
            + notice(isQuiet ? Phrases.isQuiet(channel, bot) : Phrases.isBack(channel), to: speaker)
    }

    /// What waits to be said there goes to its askers in private.
    private func takeBack(answersIn channel: ChannelName, on connection: ConnectionID) {
        let channel = configuredName(of: channel, on: connection)
        for turn in answers.turns(sayingIn: channel, on: connection) { turns.interruptDelivery(of: turn) }
    }

    private func quietKey(_ channel: ChannelName, _ connection: ConnectionID) -> QuietChannel {
        QuietChannel(configuredName(of: channel, on: connection), on: connection.network)
    }

    /// Tells somebody who joined what the operator of the bot would have them know: once a day, and after a netsplit, when
    /// many come at once, not all of them.
    func greeting(after event: ChatEvent) -> [Work] {
        guard case .joined(let person, let channel) = event.kind,
            let greeting = rules(for: channel, on: event.connection)?.greeting,
            !isQuiet(channel, on: event.connection), !isIgnored(person, nil)
        else { return [] }
        let visit = roster.presence(on: event.connection)?.visit(at: person.nick)
        guard let visit, visit.login == nil else { return [] }
        let key = quietKey(channel, event.connection)
        let now = time.now()
        if let last = memory.greeted[key], now - last < .seconds(10) { return [] }
        let isTold = courtesy.allows(
            .greeting, to: person.nick, on: event.connection, every: .seconds(86_400), now: now)
        guard isTold else { return [] }
        memory.greeted[key] = now
        let words = greeting.replacing("{bot}", with: ownNick(on: event.connection).spelling)
        return notice([words], to: .visit(visit.id))
    }

    // MARK: Doing

    func loadQuietChannels() async {
        do {
            memory.quiet = Set(try await store.quietChannels())
        } catch {
            log.storeFailed(error, during: "reading where to be silent")
        }
    }

    func keepQuiet(_ isQuiet: Bool, _ channel: QuietChannel, by name: String) async {
        do {
            try await store.setQuiet(isQuiet, channel, by: name, at: time.wall())
        } catch {
            log.storeFailed(error, during: "QUIET or RESUME")
        }
    }
}
