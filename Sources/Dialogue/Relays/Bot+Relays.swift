import Domain
import Runtime
import Storage

/// People who come through a relay that the operator named: each has a conversation, a place in the queue and answers of
/// their own, under the relay's account.
///
/// They can ask and stop, and nothing else. Nobody logs in or registers through a relay: all its readers on either side, and
/// the relay itself, would have the password. What is to be told to one of them is said in the channel, since the relay
/// passes on nothing else.
extension Bot {
    // MARK: Deciding

    func relay(_ person: Person, on connection: ConnectionID) -> RelaySettings? {
        settings.relays[connection.network]?.first { $0.isIt(person, mapping(of: connection)) }
    }

    func hearRelayed(
        _ message: Message, by relay: RelaySettings, _ visit: VisitID?, on connection: ConnectionID
    ) -> [Work] {
        guard let visit, !message.isAction, let channel = message.place.channel, message.place == .channel(channel),
            let rules = rules(for: channel, on: connection), !isQuiet(channel, on: connection),
            let line = RelayedLine(message.text, isRelay: true)
        else { return [] }
        let text = String(line.text)
        let place = Place.relayed(line.name, channel)
        let now = time.now()
        let login = relay.account.flatMap { memory.relayAccounts[$0] }.map {
            Login(account: $0, since: time.wall(), startedAt: now, lastHeardAt: now)
        }
        let speaker = Speaker(
            connection: connection, person: message.sender, place: place, addressee: .visit(visit), login: login)
        let moved = Message(
            sender: message.sender, place: place, text: text, isGarbled: message.isGarbled, isFull: message.isFull)
        let addressing = Addressing(text, names: names(on: connection), mapping: mapping(of: connection)) { nick in
            roster.presence(on: connection)?.isMember(nick, of: channel) ?? false
        }
        if let finding = finding(in: text, speaker), finding.secrecy == .certain {
            return exposedThroughRelay(finding, moved, speaker)
        }
        switch addressing {
        case .bot(let said): return hearRelayed(said, moved, speaker)
        case .everyone:
            if let works = join(moved, speaker) { return works }
            guard rules.listen == .all, let login else { return [] }
            return admit(text, in: place, speaker, visit, login.account, gathered: message.joint)
        case .someoneElse, .otherBot:
            return []
        }
    }

    /// Whoever said it, it is public now; whose password it is finds out.
    private func exposedThroughRelay(_ finding: SecretFinding, _ message: Message, _ speaker: Speaker) -> [Work] {
        var person = speaker.person
        if let name = message.place.relayed { person.nick = Nick(name, mapping(of: speaker.connection)) }
        let unknown = Speaker(
            connection: speaker.connection, person: person, place: message.place,
            addressee: speaker.addressee, login: nil)
        return finding.lines.prefix(Self.maxExposed).flatMap { exposed($0, unknown) }
            + remark(Phrases.noPasswordsThroughRelays, to: speaker, .secretInPublic)
    }

    /// What one of them says to the bot by name.
    private func hearRelayed(_ said: String, _ message: Message, _ speaker: Speaker) -> [Work] {
        let line = TypedLine(
            said, names: names(on: speaker.connection).map(\.folded), mapping: mapping(of: speaker.connection))
        let command = Command.named(line.word).flatMap { $0.isMeant(by: line, isLoggedIn: true) ? $0 : nil }
        if command?.name == "ASK", let account = speaker.login?.account, let visit = speaker.visit {
            let question = line.arguments.joined(separator: " ")
            return question.isVisible
                ? admit(question, in: message.place, speaker, visit, account, gathered: .lineEnd) : []
        }
        if command?.takesPassword == true {
            return remark(Phrases.noPasswordsThroughRelays, to: speaker, .secretInPublic)
        }
        if command?.name == "STOP" {
            // What is said of it is for people who have a HISTORY.
            _ = stop(speaker)
            return []
        }
        guard command == nil else { return remark(Phrases.onlyQuestionsThroughRelays, to: speaker, .refusal) }
        guard let account = speaker.login?.account, let visit = speaker.visit else {
            return remark(Phrases.noGuestsThroughRelays(ownNick(on: speaker.connection)), to: speaker, .howToStart)
        }
        return admit(said, in: message.place, speaker, visit, account, gathered: message.joint)
    }

    /// Says something to one of them in the channel, seldom.
    private func remark(_ words: String, to speaker: Speaker, _ topic: Courtesy.Topic) -> [Work] {
        guard let name = speaker.place.relayed else { return [] }
        let nick = Nick(name, mapping(of: speaker.connection))
        let isTold = courtesy.allows(
            topic, to: nick, on: speaker.connection, every: .seconds(60), now: time.now())
        return isTold ? remark([words], in: speaker.place, on: speaker.connection) : []
    }

    /// What would be a notice to anybody else.
    func remark(_ lines: [String], in place: Place, on connection: ConnectionID) -> [Work] {
        guard let name = place.relayed, let channel = place.channel, let line = lines.first else { return [] }
        return [
            .remark(
                Utterance(
                    on: connection, to: .channel(channel), form: .message, urgency: .stranger, address: "\(name): ",
                    lines: [line]))
        ]
    }

    // MARK: Doing

    /// Reads the accounts of relays; again when one turns out to have changed.
    func loadRelays() async {
        for name in Set(settings.relays.values.joined().compactMap(\.account)) {
            do {
                let found = try await store.credentials(for: name.folded)
                memory.relayAccounts[name] = found?.isDisabled == false ? found?.account : nil
                if found == nil {
                    log.warning("A relay's account does not exist: nobody can ask through it", ["account": name])
                }
            } catch {
                log.storeFailed(error, during: "reading the account of a relay", of: name)
            }
        }
    }
}
