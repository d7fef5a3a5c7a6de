import Domain
import Runtime

/// What follows from a line that somebody said.
extension Bot {
    func hear(_ message: Message, on connection: ConnectionID) -> [Work] {
        guard let ownNick = roster.presence(on: connection)?.ownNick, message.sender.nick != ownNick else { return [] }
        guard message.text.isVisible else { return [] }
        let message = message.moved(to: lasting(message.place, on: connection))
        let hearing = roster.heard(message.sender, on: connection, now: time.now())
        // Taken after the roster changed: a copy from before would make that change copy everyone.
        guard let presence = roster.presence(on: connection) else { return [] }
        var works = (hearing.ended.map(afterwards) ?? []) + refreshIgnores()
        guard !isIgnored(message.sender, hearing.login) else { return works }
        if let visit = hearing.visit, roster.visit(visit)?.isBot == true { return works }
        if hearing.login == nil { works += recognise(message.sender, on: connection) }
        if let visit = hearing.visit, held[visit] != nil {
            hold(message, visit)
            return works
        }
        if hearing.visit == nil, isAwaitingWatch(message, on: connection) { return works }
        let speaker = Speaker(
            connection: connection, person: message.sender, place: message.place,
            addressee: addressee(message.sender, hearing.visit, on: connection), login: hearing.login)
        let isEnding = hearing.ended != nil
        switch message.place {
        case .direct: return works + hearDirect(message, speaker, presence, isEnding)
        case .channel(let channel), .ranks(_, let channel):
            return works + hear(message, in: channel, speaker, presence, isEnding)
        }
    }

    /// What a person says while their password is being checked is heard afterwards: LOGIN and a question may come in one go.
    private func hold(_ message: Message, _ visit: VisitID) {
        if held[visit, default: []].count < Self.mostHeld { held[visit]?.append(message) }
    }

    /// So many lines of a person wait; more are not heard.
    static let mostHeld = 8

    /// `isEnding` says that this very line ended a login, which its sender is told: it is then no question.
    private func hearDirect(_ message: Message, _ speaker: Speaker, _ presence: Presence, _ isEnding: Bool) -> [Work] {
        let isLoggedIn = speaker.login != nil
        if !message.isAction, let (command, words) = command(in: message.text, presence, isLoggedIn: isLoggedIn) {
            return answer(command, words, speaker)
        }
        if carriesSecret(message.text, on: speaker.connection) {
            return notice(Phrases.secretInPrivate(presence.ownNick), to: speaker)
        }
        // A slash and one word is a client's command gone astray, `/lgoin bob secret` perhaps.
        if message.text.first == "/",
            message.text.prefix(while: { !$0.isWhitespace }).dropFirst().allSatisfy(\.isLetter)
        {
            return notice(Phrases.unknownCommand(presence.ownNick), to: speaker)
        }
        if isEnding { return [] }
        let addressing = Addressing(message.text, names: names(on: speaker.connection), mapping: presence.mapping) {
            _ in false
        }
        if case .bot(let text) = addressing { return ask(message, text, speaker, presence) }
        return join(message, speaker) ?? ask(message, message.text, speaker, presence)
    }

    private func hear(
        _ message: Message, in channel: ChannelName, _ speaker: Speaker, _ presence: Presence, _ isEnding: Bool
    ) -> [Work] {
        guard let rules = rules(for: channel, on: speaker.connection) else { return [] }
        let secrets = secrets(in: message.text, on: speaker.connection)
        if !secrets.isEmpty {
            let isTold = courtesy.allows(
                .secretInPublic, to: speaker.nick, on: speaker.connection, every: .seconds(60), now: time.now())
            log.warning(
                "A password may have been said in a channel",
                ["network": speaker.connection.network, "channel": channel, "nick": speaker.nick])
            let warning = isTold ? notice(Phrases.secretInPublic(channel, presence.ownNick), to: speaker) : []
            return warning + secrets.prefix(Self.mostExposed).flatMap { exposed($0, speaker) }
        }
        if isEnding { return [] }
        let addressing = Addressing(message.text, names: names(on: speaker.connection), mapping: presence.mapping) {
            nick in
            nick != presence.ownNick && presence.isMember(nick, of: channel)
        }
        switch addressing {
        case .bot(let text):
            let meant = command(in: text, presence, isLoggedIn: true)
            guard !isQuiet(channel, on: speaker.connection) || meant?.command.name == "RESUME" else { return [] }
            guard let (command, words) = meant else { return ask(message, text, speaker, presence) }
            guard !command.isPrivate else { return notice(Phrases.inPrivateOnly, to: speaker) }
            return answer(command, words, speaker)
        case .everyone:
            guard !isQuiet(channel, on: speaker.connection) else { return [] }
            // What goes on with a question need not name the bot again.
            if let works = join(message, speaker) { return works }
            guard let login = speaker.login, rules.listen == .all, login.account.preferences.listen != .addressed else {
                return []
            }
            return ask(message, message.text, speaker, presence)
        case .someoneElse, .otherBot:
            return []
        }
    }

    /// Whether a text must be kept from everyone.
    func carriesSecret(_ text: String, on connection: ConnectionID) -> Bool {
        !secrets(in: text, on: connection).isEmpty
    }

    private func secrets(in text: String, on connection: ConnectionID) -> [String] {
        let mapping = mapping(of: connection)
        // Also by a name that somebody else has meanwhile: what is said to them is no less secret.
        let names = settings.ownNicks.map(mapping.fold) + [ownNick(on: connection).folded]
        return TypedLine.secrets(in: text, names: names, mapping: mapping)
    }

    /// Lines of one message whose passwords are looked into; each may cost some hashes.
    private static let mostExposed = 3

    /// The command that a text is by its first line, and its words. What stands below that line is left out, unless the
    /// command takes a text.
    private func command(
        in text: String, _ presence: Presence, isLoggedIn: Bool
    ) -> (command: Command, words: [String])? {
        let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
        let names = names(on: presence.connection).map(\.folded)
        let line = TypedLine(lines.first ?? "", names: names, mapping: presence.mapping)
        guard let command = Command.named(line.word), command.isMeant(by: line, isLoggedIn: isLoggedIn) else {
            return nil
        }
        guard command.takesText, lines.count > 1 else { return (command, line.arguments) }
        let last = [line.arguments.last, lines[1]].compactMap(\.self).joined(separator: "\n")
        return (command, line.arguments.dropLast() + [last])
    }

    private func answer(_ command: Command, _ arguments: [String], _ speaker: Speaker) -> [Work] {
        if command.needsLogin && speaker.login == nil {
            return notice(Phrases.notLoggedIn(ownNick(on: speaker.connection)), to: speaker)
        }
        if command.takesPassword && isUnderAnotherNick(on: speaker.connection) {
            return notice(Phrases.isUnderAnotherNick(settings.ownNicks), to: speaker)
        }
        if speaker.visit == nil, speaker.place == .direct, command.logsIn, !arguments.isEmpty {
            return watch(speaker, command, arguments)
        }
        return command.answer(self, speaker, arguments)
    }

    /// What somebody did is told to the model as what they did.
    func question(_ message: Message, _ text: String) -> String {
        message.isAction ? "* \(message.sender.nick) \(text)" : text
    }

    /// Puts a question, or tells somebody who may not ask how to start: once a visit, and seldom to one nick.
    private func ask(_ message: Message, _ text: String, _ speaker: Speaker, _ presence: Presence) -> [Work] {
        if let login = speaker.login, let visit = speaker.visit {
            return admit(
                question(message, text), in: message.place, speaker, visit, login.account, isGathered: true,
                isCut: message.isFull)
        }
        if let visit = speaker.visit, roster.visit(visit)?.isTold == true { return [] }
        let isTold = courtesy.allows(
            .howToStart, to: speaker.nick, on: speaker.connection, every: .seconds(300), now: time.now())
        guard isTold else { return [] }
        if let visit = speaker.visit { roster.markTold(visit) }
        let lines = Phrases.howToStart(
            presence.ownNick, isRegistrationOpen: settings.registration == .open, sharesChannel: speaker.visit != nil)
        return notice(lines, to: speaker)
    }
}
