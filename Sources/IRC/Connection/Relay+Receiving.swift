import Domain
import IRCProtocol
import Runtime

/// What the relay does with each line of the server before the library may see it.
extension Relay {
    /// What counts in whatever batch it comes: who is there and who they are, and the life of the connection.
    private static let unconditional: Set<String> = [
        "JOIN", "PART", "QUIT", "KICK", "NICK", "ACCOUNT", "CHGHOST", "INVITE", "RENAME", "MODE", "PING", "ERROR",
        "KILL",
    ]

    /// Takes one line as it came. Lines that concern nobody here fall away, and cost little.
    func receive(_ bytes: ArraySlice<UInt8>) {
        guard let message = IRCMessage(bytes) else { return }
        if stage == .identifying, isAnswerOfServices(message) { return }
        if !Self.unconditional.contains(message.command), isAnswerToOwn(message) || multiline.take(message, mapping) {
            return
        }
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
        case "001": welcome(message)
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

    private func welcome(_ message: IRCMessage) {
        replays.came(by: message, at: time.now())
        guard own != nil, let nick = message[0], !nick.isEmpty else { return register(message) }
        flushLibrary()
        own = OwnMask(nick: Nick(nick, mapping))
        if stage == .online { emit(.beganAnew("the server welcomed the bot again")) }
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
        guard message.count == 2, let text = message.raw(1), !replays.mark(message, at: time.now()), isHeard(message)
        else { return }
        var note = LineNote(servicesAccount: servicesAccount(of: message))
        note.isFull = message.isFull(lineLength: support.lineLength)
        guard let request = CTCP(text) else { return hear(message, text, note) }
        guard request.command == "ACTION" else { return answer(request, from: message) }
        note.isAction = true
        hear(message, request.argument, note)
    }

    /// Mostly the library carries the text; what it could not is carried beside it.
    private func hear(_ message: IRCMessage, _ text: ArraySlice<UInt8>, _ note: LineNote) {
        let received = ReceivedText(text, decoder, isFull: note.isFull)
        guard received.isGarbled else { return feed(message, note: note, text: note.isAction ? Array(text) : nil) }
        var note = note
        note.isGarbled = true
        note.text = TextFormatting.words(of: received.text)
        feed(message, note: note, text: [UInt8(ascii: "-")])
    }

    /// From a person who says it now.
    func isHeard(_ message: IRCMessage) -> Bool {
        guard stage == .online, message.isFromPerson, let own, let nick = message.nick, !Self.isBouncers(nick),
            message.isPrefixText, message.tag("bot") == nil, !own.isSelf(nick, mapping)
        else { return false }
        let now = time.now()
        guard !replays.isPlayedBack(message, at: now) else {
            setAside()
            return false
        }
        replays.takeLive(message, at: now)
        return true
    }

    /// ZNC's `*status` and `*buffextras`, psyBNC's `-psyBNC`: they pass on what others did and said, and no server lets a person
    /// have such a nick.
    private static func isBouncers(_ nick: String) -> Bool { nick.hasPrefix("*") || nick.hasPrefix("-") }

    /// By NOTICE to whoever asked, wherever it was asked.
    private func answer(_ request: CTCP, from message: IRCMessage) {
        guard let nick = message.nick, let answer = ctcp.answer(to: request, at: time.now()) else { return }
        send(.notice(target: nick, text: answer))
    }

    /// Who is where, and under which name.
    private func membership(_ message: IRCMessage) {
        guard let nick = message.nick, !nick.isEmpty, isComplete(message) else { return }
        if replays.isPast(message) { return takeAway(message, from: nick) }
        if let own, own.isSelf(nick, mapping), !ourselves(message) { return }
        guard stage == .online else { return }
        if own?.isSelf(nick, mapping) != true { replays.takeLive(message, at: time.now()) }
        feed(message, note: LineNote(servicesAccount: servicesAccount(of: message)))
        if message.command == "QUIT" || message.command == "NICK" { freed(nick) }
    }

    /// A line of history gives nobody anything. But whoever it takes something away from loses it: should it be a line of now in
    /// the wrong place, the next one to have that nick would be taken for the one who left. Those who are there after all
    /// are found by asking anew who is.
    private func takeAway(_ message: IRCMessage, from nick: String) {
        setAside()
        let names: [String?] =
            switch message.command {
            case "QUIT", "PART", "ACCOUNT", "CHGHOST": [nick]
            case "NICK": [nick, message[0]]
            case "KICK": [message[1]]
            default: []
            }
        let nicks = names.compactMap(\.self).map { Nick($0, mapping) }.filter { $0 != own?.nick }
        guard stage == .online, !nicks.isEmpty else { return }
        flushLibrary()
        for nick in nicks { emit(.chat(.quit(nick))) }
        emit(.membersUnsure)
    }

    private func isComplete(_ message: IRCMessage) -> Bool {
        switch message.command {
        case "QUIT": true
        case "ACCOUNT": message.count > 0
        case "KICK", "CHGHOST", "INVITE", "RENAME": message.raw(0)?.isEmpty == false && message.raw(1)?.isEmpty == false
        default: message.raw(0)?.isEmpty == false
        }
    }

    /// Believed only where every line tells it: otherwise a person would seem to log in and out with each line.
    func servicesAccount(of message: IRCMessage) -> String? {
        registration.isAccountTold ? ServicesAccount.name(message.tag("account")) : nil
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
            replays.came(by: message, at: time.now())
            if let prefix = message.prefix { own?.learn(from: Person(mask: prefix, mapping)) }
            return true
        case "PART", "KICK": return true
        case "QUIT":
            // A bouncer's word that it has lost the network; a server has none for whoever it is about.
            guard stage == .online else { return false }
            flushLibrary()
            emit(.beganAnew("the bot was seen to quit"))
            return false
        default: return false
        }
    }
}
