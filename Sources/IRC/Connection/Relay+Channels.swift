import Domain
import IRCProtocol
import Runtime

/// Who is in the channels, and what they are there: NAMES, WHO and MODE.
extension Relay {
    /// The pause between two WHOs, and how long one may stay unanswered.
    private static let whoPause = Duration.seconds(5)
    private static let whoLimit = Duration.seconds(60)
    /// A server may speak of any number of channels; the bot is in fewer.
    private static let maxPlainChannels = 1000
    /// Tells our WHOX from another's in the answers.
    private static let whoxToken = "77"

    /// Takes a numeric about the members of a channel; false for any other.
    func isAboutMembers(_ numeric: Int, _ params: [String]) -> Bool {
        switch numeric {
        case 353 where params.count >= 3:
            guard let channel = support.channel(of: params[params.count - 2]) else { return true }
            names.add(params[params.count - 1], to: channel, support)
        case 366 where params.count >= 2:
            guard let channel = support.channel(of: params[1]) else { return true }
            let all = names.finish(channel)
            let others = all.filter { $0.nick != own?.nick }
            if others.count < all.count { emit(.isInside(channel)) }
            emit(.chat(.members(channel, others)))
        case 352 where params.count >= 7: seen(params[5], params[2], params[3], flags: params[6], account: nil)
        case 354 where params.count >= 8 && params[1] == Self.whoxToken:
            let account = registration.isAccountTold ? ServicesAccount.name(params[7]) : nil
            seen(params[5], params[3], params[4], flags: params[6], account: account)
        case 315: asking.set(after: Self.whoPause) { [weak self] in self?.askWho() }
        default: return [352, 353, 354, 366].contains(numeric)
        }
        return true
    }

    /// Asks by WHO about a channel when its turn has come: addresses that NAMES does not tell, accounts, and who is a bot.
    func inquire(about channel: ChannelName) {
        unasked.append(channel)
        if !isAsking { askWho() }
    }

    private func askWho() {
        isAsking = !unasked.isEmpty
        guard isAsking else { return }
        let channel = unasked.removeFirst().spelling
        if !support.plainTextModes.isEmpty { send(.whole("MODE \(channel)")) }
        send(.whole(support.isWHOXOffered ? "WHO \(channel) %tcuhnaf,\(Self.whoxToken)" : "WHO \(channel)"))
        asking.set(after: Self.whoLimit) { [weak self] in self?.askWho() }
    }

    private func seen(_ name: String, _ user: String, _ host: String, flags: String, account: String?) {
        let person = Person(nick: Nick(name, mapping), user: user, host: host, servicesAccount: account)
        guard person.nick != own?.nick else {
            own?.learn(from: person)
            return
        }
        emit(.chat(.seen(person, isBot: support.botMode.map { flags.contains($0) } ?? false)))
    }

    /// Ranks are given and taken; the library would lose the end of a long line.
    func changeRanks(_ message: IRCMessage) {
        guard stage == .online, let target = message[0], let channel = support.channel(of: target) else { return }
        let isPast = replays.isPast(message)
        flushLibrary()
        for change in support.rankChanges(Array(message.params.dropFirst())) {
            let nick = Nick(change.nick, mapping)
            guard nick != own?.nick, !(isPast && change.isHeld) else { continue }
            emit(.chat(.ranked(nick, channel, rank: change.rank, isHeld: change.isHeld)))
        }
    }

    /// Follows where formatting codes are not welcome; `modes` are the letters and their parameters, and all of them where
    /// they are `whole`.
    func notePlainText(_ target: String?, _ modes: [String], whole: Bool) {
        guard let target, let channel = support.channel(of: target) else { return }
        guard plainText[channel] != nil || plainText.count < Self.maxPlainChannels else { return }
        var letters = whole ? [] : plainText[channel] ?? []
        for (letter, isSet) in support.plainTextChanges(modes) {
            if isSet { letters.insert(letter) } else { letters.remove(letter) }
        }
        plainText[channel] = letters.isEmpty ? nil : letters
    }

    /// The channel goes by another name, and what is known of it with it.
    func rename(_ old: ChannelName, to new: ChannelName) {
        plainText[new] = plainText.removeValue(forKey: old)
        unasked = unasked.map { $0 == old ? new : $0 }
    }

    /// Whether text for this target had better be without formatting codes.
    func isPlain(_ target: Target) -> Bool { target.channel.map { plainText[$0] != nil } ?? false }

    /// Everything that is known of the network's people and places, or waits for them, belongs to what is over.
    func beginAnew() {
        flushLibrary()
        outbox.restart()
        multiline = MultilineMessages()
        names = NamesList()
        plainText = [:]
        unasked = []
        isAsking = false
        asking.cancel()
        watches = WatchList()
        watching.cancel()
        settleNick()
    }
}
