import Domain
import Runtime

/// What follows from a line that somebody said.
extension Bot {
    /// `isCleared` says that the line was looked into for its speaker's password, and has none.
    func hear(_ message: Message, on connection: ConnectionID, isCleared: Bool = false) -> [Work] {
        guard let ownNick = roster.presence(on: connection)?.ownNick, message.sender.nick != ownNick else { return [] }
        guard message.text.isVisible else { return [] }
        let place = message.place
        let message = message.moved(to: lasting(message.place, on: connection))
        let hearing = roster.heard(message.sender, on: connection, now: time.now())
        // Taken after the roster changed: a copy from before would make that change copy everyone.
        guard let presence = roster.presence(on: connection) else { return [] }
        var works = (hearing.ended.map(afterwards) ?? []) + refreshIgnores()
        guard !isIgnored(message.sender, hearing.login) else {
            // What is not heard is read by others all the same.
            return works + exposedByIgnored(message, hearing.visit, on: connection)
        }
        if let relay = relay(message.sender, on: connection) {
            return works + hearRelayed(message, by: relay, hearing.visit, on: connection)
        }
        if let visit = hearing.visit, roster.visit(visit)?.isBot == true { return works }
        if hearing.login == nil { works += recognise(message.sender, on: connection) }
        if let visit = hearing.visit, deferred.isHeld(visit), !isCleared {
            // LOGIN and a question may come in one go.
            deferred.add(message, of: visit)
            return works
        }
        if hearing.visit == nil, isAwaitingWatch(message, on: connection) { return works }
        let speaker = Speaker(
            connection: connection, person: message.sender, place: message.place,
            addressee: addressee(message.sender, hearing.visit, on: connection), login: hearing.login)
        let isEnding = hearing.ended != nil
        if !memory.cutLogins.isEmpty {
            let word = typed(message, on: connection).line.word
            works += cutLogin(speaker, isLoggingIn: Command.named(word)?.logsIn == true)
        }
        switch message.place {
        case .direct: return works + hearDirect(message, speaker, presence, isEnding, isCleared)
        case .channel(let channel), .ranks(_, let channel), .relayed(_, let channel):
            works += hear(message, in: channel, speaker, presence, isEnding, isCleared)
        }
        if case .channel(let channel) = place, works.isEmpty { overlook(message, in: channel, speaker, presence) }
        return works
    }

    /// `isEnding` says that this very line ended a login, which its sender is told: it is then no question.
    private func hearDirect(
        _ message: Message, _ speaker: Speaker, _ presence: Presence, _ isEnding: Bool, _ isCleared: Bool
    ) -> [Work] {
        let bot = presence.ownNick
        let typed = typed(message, on: speaker.connection)
        let (command, reading) = meant(inPrivate: typed.line, speaker)
        if let command, !message.isAction, command.takesPassword, reading == .meant {
            let words = typed.words(for: command)
            if message.isGarbled, !words.isEmpty { return notice(Phrases.garbledPassword(bot), to: speaker) }
            return answer(command, words, speaker)
        }
        let isAsked = command?.name == "ASK"
        let finding = isAsked ? nil : finding(in: message.text, speaker)
        if !isCleared, let works = suspect(message, speaker, finding) { return works }
        if let command, !message.isAction {
            switch reading {
            case .meant: return answer(command, typed.words(for: command), speaker)
            case .wrongForm: return notice(Phrases.wrongForm(command, bot), to: speaker)
            case .talk: break
            }
        }
        if finding?.secrecy == .certain { return notice(Phrases.secretInPrivate(bot), to: speaker) }
        if let cure = Phrases.noSuchCommand(typed.line, bot) { return notice(cure, to: speaker) }
        // A slash and one word is a client's command gone astray, `/lgoin bob secret` perhaps.
        if message.text.first == "/",
            message.text.prefix(while: { !$0.isWhitespace }).dropFirst().allSatisfy(\.isLetter)
        {
            return notice(Phrases.unknownCommand(bot), to: speaker)
        }
        if isEnding { return [] }
        let addressing = Addressing(message.text, names: names(on: speaker.connection), mapping: presence.mapping) {
            _ in false
        }
        if case .bot(let text) = addressing { return ask(message, text, speaker, presence) }
        return join(message, speaker) ?? ask(message, message.text, speaker, presence)
    }

    private func hear(
        _ message: Message, in channel: ChannelName, _ speaker: Speaker, _ presence: Presence, _ isEnding: Bool,
        _ isCleared: Bool
    ) -> [Work] {
        guard let rules = rules(for: channel, on: speaker.connection) else { return [] }
        let addressing = Addressing(message.text, names: names(on: speaker.connection), mapping: presence.mapping) {
            nick in
            nick != presence.ownNick && presence.isMember(nick, of: channel)
        }
        var meant: (command: Command, words: [String])?
        if case .bot(let text) = addressing { meant = command(addressed: message, as: text, speaker) }
        // For most of what a channel says, this look is all it costs.
        let hasWord = SecretWord.isAny(in: message.text)
        let finding = hasWord && meant?.command.name != "ASK" ? finding(in: message.text, speaker) : nil
        if let works = secrets(finding, message, in: channel, speaker, isCleared, hasWord: hasWord) { return works }
        if isEnding { return [] }
        switch addressing {
        case .bot(let text):
            guard !isQuiet(channel, on: speaker.connection) || meant?.command.name == "RESUME" else { return [] }
            guard let (command, words) = meant else { return ask(message, text, speaker, presence) }
            guard command.audience != .administrators else { return notice(Phrases.inPrivateOnly, to: speaker) }
            return answer(command, words, speaker)
        case .everyone:
            guard !isQuiet(channel, on: speaker.connection) else { return [] }
            // What goes on with a question need not name the bot again.
            if let works = join(message, speaker) { return works }
            if speaker.login == nil, rules.listen == .all, !message.isAction, Salutation.isOne(message.text) {
                return welcome(speaker)
            }
            guard let login = speaker.login, rules.listen == .all, login.account.preferences.listen != .addressed else {
                return []
            }
            return ask(message, message.text, speaker, presence)
        case .someoneElse, .otherBot:
            return []
        }
    }

    // MARK: Commands

    /// A line read as a command, and what stands below it.
    private struct Typed {
        let line: TypedLine
        let below: String?

        /// The words behind the command. What stands below its line is left out, unless it takes a text.
        func words(for command: Command) -> [String] {
            guard command.takesText, let below else { return line.arguments }
            return line.arguments.dropLast() + [
                [line.arguments.last, below].compactMap(\.self).joined(separator: "\n")
            ]
        }
    }

    private func typed(_ message: Message, as text: String? = nil, on connection: ConnectionID) -> Typed {
        let text = text ?? message.text
        let end = text.utf8.firstIndex(of: UInt8(ascii: "\n"))
        let names = names(on: connection).map(\.folded)
        let line = TypedLine(end.map { String(text[..<$0]) } ?? text, names: names, mapping: mapping(of: connection))
        return Typed(line: line, below: end.map { String(text.utf8[$0...].dropFirst()) } ?? nil)
    }

    private func meant(inPrivate line: TypedLine, _ speaker: Speaker) -> (command: Command?, reading: Command.Reading) {
        guard let command = Command.named(line.word) else { return (nil, .talk) }
        if command.name == "DROP", isConfirmation(line.arguments, of: speaker) { return (command, .meant) }
        return (
            command, command.reading(inPrivate: line, isLoggedIn: speaker.login != nil, isName: isName(for: speaker))
        )
    }

    /// The command that somebody says to the bot in a channel, and its words.
    private func command(
        addressed message: Message, as text: String, _ speaker: Speaker
    ) -> (command: Command, words: [String])? {
        let typed = typed(message, as: text, on: speaker.connection)
        guard let command = Command.named(typed.line.word), command.isMeant(by: typed.line, isLoggedIn: true) else {
            return nil
        }
        return (command, typed.words(for: command))
    }

    /// Whether a word is a name of whoever speaks, or the nick of somebody who is there.
    func isName(for speaker: Speaker) -> (String) -> Bool {
        let account = speaker.login?.account
        let names = [speaker.nick.spelling, account?.name.spelling, account?.email?.spelling]
        let own = Set(names.compactMap { $0.map(CaseMapping.ascii.fold) })
        let presence = roster.presence(on: speaker.connection)
        return { word in
            guard word.utf8.count <= EmailAddress.longest else { return false }
            return own.contains(CaseMapping.ascii.fold(word))
                || presence.map { $0.visit(at: Nick(word, $0.mapping)) != nil } ?? false
        }
    }

    private func answer(_ command: Command, _ arguments: [String], _ speaker: Speaker) -> [Work] {
        if command.audience != .anyone && speaker.login == nil {
            return notice(Phrases.notLoggedIn(ownNick(on: speaker.connection)), to: speaker)
        }
        if command.takesPassword && isUnderAnotherNick(on: speaker.connection) {
            return notice(Phrases.isUnderAnotherNick(settings.ownNicks), to: speaker)
        }
        if speaker.visit == nil, speaker.place == .direct, command.logsIn, !arguments.isEmpty {
            return watch(speaker, command, arguments)
        }
        let wasReading = endHistory(of: speaker)
        if command.name == "STOP", wasReading,
            speaker.login.map({ turns.first(of: Asker($0.account.id)) }) == .some(nil)
        {
            return notice(Phrases.historyStopped, to: speaker)
        }
        return command.answer(self, speaker, arguments)
    }

    /// A newcomer said hello to all: answered once a day, to them alone.
    private func welcome(_ speaker: Speaker) -> [Work] {
        let isTold = courtesy.allows(
            .welcome, to: speaker.nick, on: speaker.connection, every: .seconds(86_400), now: time.now())
        let lines = Phrases.welcome(
            speaker.nick, ownNick(on: speaker.connection), isRegistrationOpen: settings.registration == .open)
        return isTold ? notice(lines, to: speaker) : []
    }

    /// What somebody did is told to the model as what they did.
    func question(_ message: Message, _ text: String) -> String {
        message.isAction ? "* \(message.sender.nick) \(text)" : text
    }

    /// Puts a question, or tells somebody who may not ask how to start: seldom to one nick.
    private func ask(_ message: Message, _ text: String, _ speaker: Speaker, _ presence: Presence) -> [Work] {
        if let login = speaker.login, let visit = speaker.visit {
            return admit(
                question(message, text), in: message.place, speaker, visit, login.account,
                gathered: message.joint)
        }
        let isTold = courtesy.allows(
            .howToStart, to: speaker.nick, on: speaker.connection, every: .seconds(300), now: time.now())
        guard isTold else { return [] }
        let lines = Phrases.howToStart(
            presence.ownNick, isRegistrationOpen: settings.registration == .open, sharesChannel: speaker.visit != nil)
        return notice(lines, to: speaker)
    }
}
