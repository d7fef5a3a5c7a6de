import Domain
import Runtime

/// Lines that go on with a question that was just asked: see `Gathering`.
extension Bot {
    // MARK: Deciding

    /// Adds a line to the question that its sender has just begun there; nil where it does not belong to one.
    func join(_ message: Message, _ speaker: Speaker) -> [Work]? {
        guard let visit = speaker.visit, speaker.login != nil else { return nil }
        let source = Gathering.Source(visit: visit, place: message.place)
        let line = question(message, String(repeating: " ", count: message.indentation) + message.text)
        // A password may stand in the line below the word that asks for one.
        if let whole = gathering.whole(with: line, from: source, at: time.now()),
            finding(in: whole, speaker)?.secrecy == .certain
        {
            let bot = ownNick(on: speaker.connection)
            let warning = message.place.channel.map { Phrases.secretInPublic($0, bot) } ?? Phrases.secretInPrivate(bot)
            return notice(warning, to: speaker)
        }
        switch gathering.hear(line, message.joint, from: source, at: time.now()) {
        case .new:
            return nil
        case .refused:
            countRefused(speaker)
        case .joins(let turn):
            turns.interrupt(turn)
        }
        return []
    }

    /// Whether a question is asked as it has become.
    func isWhole(_ turn: Turn) -> Bool { gathering.question(of: turn.id).map { $0 == turn.question } ?? true }

    /// They are told when what they asked is answered, and asking again makes sense; where nothing is under way they have
    /// just been told why.
    func countRefused(_ speaker: Speaker) {
        guard let visit = speaker.visit, let account = speaker.login?.account,
            turns.first(of: Asker(account.id, in: speaker.place)) != nil
        else {
            return
        }
        gathering.countRefused(of: visit)
    }

    // MARK: Doing

    /// Returns when the rest of a question is there, or is not to be expected any more.
    func pause(before turn: TurnID) async {
        while turns.mayWait(turn) {
            let wait = gathering.pause(before: turn, at: time.now())
            guard wait > .zero else { return }
            let rest = Task { [time] in _ = try? await time.sleep(wait) }
            turns.rest(turn) { rest.cancel() }
            await rest.value
            turns.goOn(turn)
        }
    }

    func tellRefused(_ turn: Turn) async {
        guard let count = gathering.takeRefused(of: turn.visit) else { return }
        await tell(Phrases.linesNotTaken(count), turn)
    }
}

extension Message {
    /// What stands between it and the line that goes on with it.
    var joint: Gathering.Joint { isFull ? endsInBlank ? .blank : .none : .lineEnd }
}
