import Domain
import Runtime

/// What the relay does with each line of the server before the library may see it.
extension Relay {
    /// Takes one line as it came. Lines that concern nobody here fall away, and cost little.
    func receive(_ bytes: ArraySlice<UInt8>) {
        guard let message = IRCMessage(bytes) else { return }
        if stage == .identifying, isAnswerOfServices(message) { return }
        if isAnswerToOwn(message) || multiline.take(message, mapping) { return }
        switch message.command {
        case "PRIVMSG": said(message)
        case "PING": pong(message)
        case "PONG": if message.last == Self.pingToken { answered() }
        case "JOIN", "PART", "QUIT", "KICK", "NICK", "ACCOUNT", "CHGHOST", "INVITE", "RENAME": membership(message)
        case "MODE":
            changeRanks(message)
            notePlainText(message[0], Array(message.params.dropFirst()), whole: false)
        case "324": notePlainText(message[1], Array(message.params.dropFirst(2)), whole: true)
        case "BATCH": batch(message)
        case "CAP", "AUTHENTICATE", "421", "900", "901", "902", "903", "904", "905", "906", "907", "908", "432", "433",
            "436":
            register(message)
        case "001":
            replays.calibrate(message, wall: time.wall())
            register(message)
        case "437" where !registration.isWelcomed: register(message)
        case "437" where isRefusedNick(message): break
        case "004": serverVersion = message[2] ?? ""
        case "005": supports(message)
        case "396": if let host = message[1] { own?.display(host) }
        case "376", "422": endOfMessageOfTheDay(message)
        case "303": nicksOnline(message)
        case "730": watchedAreThere(message)
        case "731": watchedAreGone(message)
        case "734": watchIsRefused(message)
        case "315", "352", "353", "354", "366": if stage == .online { feed(message) }
        case "263", "NOTICE": heedPace(message)
        case "FAIL": failed(message)
        default:
            heedPace(message)
            isRefusal(message) ? feed(message) : ended(message)
        }
    }

    /// The token comes back byte for byte, before anything else that waits to be sent.
    private func pong(_ message: IRCMessage) {
        write(bytes: Array("PONG :".utf8) + (message.raw(0) ?? []))
    }

    /// What the library was given before is understood by what held before.
    private func register(_ message: IRCMessage) {
        // A welcome that crosses the bot's QUIT is none.
        if case .leaving = stage { return }
        flushLibrary()
        if let advice = STSAdvice(message), heed(advice) { return }
        if !message.isMoreToCome { introduce() }
        perform(registration.receive(message))
        outbox.isProofOffered = registration.isDeliveryTold
        useMultiline()
    }

    /// Whether the server's word on TLS is the end of this connection.
    private func heed(_ advice: STSAdvice) -> Bool {
        if settings.isEncrypted {
            if let duration = advice.duration { emit(.tlsPolicy(duration)) }
        } else if let port = advice.port {
            end(Ending(reason: "the server asks for TLS (STS)", next: .upgrade(port: port)))
            return true
        }
        return false
    }

    private func supports(_ message: IRCMessage) {
        flushLibrary()
        let before = mapping
        support.update(message)
        guard mapping != before else { return }
        if let nick = own?.nick { own?.rename(to: Nick(nick.spelling, mapping)) }
        names.remap(mapping)
        plainText = Dictionary(plainText.map { (ChannelName($0.spelling, mapping), $1) }) { $0.union($1) }
        unasked = unasked.map { ChannelName($0.spelling, mapping) }
        guard stage == .online else { return }
        emit(.chat(.casemapping(mapping)))
        remapWatches()
    }

    /// The library tells by it that its session stands. What follows in the same breath belongs to a session that does.
    private func endOfMessageOfTheDay(_ message: IRCMessage) {
        guard stage == .registering, registration.isWelcomed else { return }
        feed(message)
        flushLibrary()
    }

    private func ended(_ message: IRCMessage) {
        guard let ending = Ending(message, ownNick: own?.nick.spelling ?? "") else { return }
        flushLibrary()
        switch message.command {
        // The server will not have the bot; the ERROR that follows may say more.
        case "463", "465", "466": leave(ending)
        case "ERROR": closed(ending)
        default: end(ending)
        }
    }

    // MARK: Lines of people

    /// A PRIVMSG becomes an event only where a person said it, now, to the bot or in a channel.
    private func said(_ message: IRCMessage) {
        guard message.count == 2, let text = message.raw(1), isHeard(message) else { return }
        var note = LineNote(servicesAccount: servicesAccount(of: message))
        guard let request = CTCP(text) else { return feed(message, note: note) }
        guard request.command == "ACTION" else { return answer(request, from: message) }
        note.isAction = true
        feed(message, note: note, text: Array(request.argument.utf8))
    }

    /// From a person who says it now.
    func isHeard(_ message: IRCMessage) -> Bool {
        guard stage == .online, message.isFromPerson, let own, let nick = message.nick, message.tag("bot") == nil else {
            return false
        }
        return !own.isSelf(nick, mapping) && replays.verdict(message, wall: time.wall()) == .live
    }

    /// By NOTICE to whoever asked, wherever it was asked.
    private func answer(_ request: CTCP, from message: IRCMessage) {
        guard let nick = message.nick, let answer = ctcp.answer(to: request, at: time.now()) else { return }
        send(.notice(target: nick, text: answer))
    }

    /// Who is where, and under which name.
    private func membership(_ message: IRCMessage) {
        guard let nick = message.nick, !nick.isEmpty, isComplete(message),
            replays.verdict(message, wall: time.wall()) != .replay
        else { return }
        if let own, own.isSelf(nick, mapping), !ourselves(message) { return }
        guard stage == .online else { return }
        feed(message, note: LineNote(servicesAccount: servicesAccount(of: message)))
        if message.command == "QUIT" || message.command == "NICK" { freed(nick) }
    }

    private func isComplete(_ message: IRCMessage) -> Bool {
        switch message.command {
        case "QUIT": true
        case "KICK", "CHGHOST", "INVITE", "RENAME": message.raw(0)?.isEmpty == false && message.raw(1)?.isEmpty == false
        default: message.raw(0)?.isEmpty == false
        }
    }

    /// Believed only where every line tells it: otherwise a person would seem to log in and out with each line.
    func servicesAccount(of message: IRCMessage) -> String? {
        guard let account = message.tag("account"), registration.isAccountTold else { return nil }
        return account
    }

    /// A line about the bot itself; true where the library is to see it too.
    private func ourselves(_ message: IRCMessage) -> Bool {
        switch message.command {
        case "NICK":
            guard let next = message[0], !next.isEmpty else { return false }
            flushLibrary()
            own?.rename(to: Nick(next, mapping))
            if stage == .online { emit(.chat(.ownNick(Nick(next, mapping)))) }
            settleNick()
            return false
        case "CHGHOST":
            if let user = message[0], let host = message[1] { own?.move(user: user, host: host) }
            return false
        case "JOIN":
            if let prefix = message.prefix { own?.learn(from: Person(mask: prefix, mapping)) }
            return true
        case "PART", "KICK": return true
        default: return false
        }
    }
}
