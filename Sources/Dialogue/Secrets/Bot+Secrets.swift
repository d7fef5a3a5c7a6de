import Domain
import Runtime

/// Passwords said where others read them: kept from everyone, told to whoever said them, and tried, so that they open nothing
/// any more.
extension Bot {
    /// What of a text may be a password by its form; nil where nothing is.
    func finding(in text: String, _ speaker: Speaker) -> SecretFinding? {
        guard SecretWord.isAny(in: text) else { return nil }
        let mapping = mapping(of: speaker.connection)
        // Also by a name that somebody else has meanwhile: what is said to them is no less secret.
        let names = settings.ownNicks.map(mapping.fold) + [ownNick(on: speaker.connection).folded]
        return SecretFinding(in: text, names: names, isName: isName(for: speaker), mapping: mapping)
    }

    /// What follows from a line that may have a password in it and was read by all; nil where it is to be heard.
    func secrets(
        _ finding: SecretFinding?, _ message: Message, in channel: ChannelName, _ speaker: Speaker, _ isCleared: Bool,
        hasWord: Bool
    ) -> [Work]? {
        let isExpected = isSecretExpected(message.text, from: speaker, in: channel)
        if hasWord, finding == nil, !isExpected { expectSecret(after: message.text, from: speaker, in: channel) }
        let isCertain = finding?.secrecy == .certain || isExpected
        var works = isCertain ? warn(of: channel, speaker) : []
        if !isCleared, let looked = suspect(message, speaker, finding) { return works + looked }
        let lines = isExpected ? ["login \(message.text)"] : finding?.lines ?? []
        // Of people who are not logged in nothing is asked, so that whatever may be a password can be tried.
        if isCertain || speaker.login == nil {
            works += lines.prefix(Self.maxExposed).flatMap { exposed($0, speaker) }
        }
        return isCertain ? works : works.isEmpty ? nil : works
    }

    /// That something said there was a password, or looks like one.
    func warn(of channel: ChannelName, _ speaker: Speaker) -> [Work] {
        log.warning(
            "A password may have been said in a channel",
            ["network": speaker.connection.network, "channel": channel, "nick": speaker.nick])
        let isTold = courtesy.allows(
            .secretInPublic, to: speaker.nick, on: speaker.connection, every: .seconds(60), now: time.now())
        return isTold ? notice(Phrases.secretInPublic(channel, ownNick(on: speaker.connection)), to: speaker) : []
    }

    /// Whoever is ignored is told nothing.
    func exposedByIgnored(_ message: Message, _ visit: VisitID?, on connection: ConnectionID) -> [Work] {
        guard message.place != .direct else { return [] }
        let speaker = Speaker(
            connection: connection, person: message.sender, place: message.place,
            addressee: addressee(message.sender, visit, on: connection), login: nil)
        let lines = finding(in: message.text, speaker)?.lines ?? []
        return lines.prefix(Self.maxExposed).flatMap { exposed($0, speaker) }
    }

    /// Lines of one message whose passwords are looked into; each may cost some hashes.
    static let maxExposed = 3

    /// `login` and nothing behind it: the password may come in a line of its own.
    private func expectSecret(after text: String, from speaker: Speaker, in channel: ChannelName) {
        let names = names(on: speaker.connection).map(\.folded)
        let line = TypedLine(text, names: names, mapping: mapping(of: speaker.connection))
        guard line.arguments.isEmpty, Command.named(line.word)?.takesPassword == true else { return }
        let lane = Lane(connection: speaker.connection, nick: speaker.nick)
        memory.expectedSecrets.expect(from: lane, in: channel, at: time.now())
    }

    private func isSecretExpected(_ text: String, from speaker: Speaker, in channel: ChannelName) -> Bool {
        let lane = Lane(connection: speaker.connection, nick: speaker.nick)
        return memory.expectedSecrets.takes(text, from: lane, in: channel, at: time.now())
    }
}
