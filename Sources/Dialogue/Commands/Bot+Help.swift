import Accounts
import Domain

/// What HELP tells of at once: commands that belong together.
enum HelpTopic: String, CaseIterable, Sendable {
    case account, answers, history, channel

    /// In singular or plural.
    init?(_ word: String) {
        let word = word.lowercased()
        guard
            let topic = Self.allCases.first(where: {
                $0.rawValue == word || $0.rawValue + "s" == word || $0.rawValue == word + "s"
            })
        else { return nil }
        self = topic
    }

    var commands: [Command] { Command.all.filter { $0.topic == self } }

    /// HELP and a topic takes at most so many lines: at the default pace two seconds each.
    static let maxLines = 8
}

/// HELP: short, and only what works here for whoever asks.
extension Bot {
    func help(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        let bot = ownNick(on: speaker.connection)
        guard let word = arguments.first.map({ TypedLine.plain($0).uppercased() }) else {
            let lines =
                speaker.login == nil
                ? Phrases.helpToStart(
                    bot, isRegistrationOpen: settings.registration == .open, sendsMail: desk.mailroom.isOpen)
                : Phrases.help(bot, account: available(.account, to: speaker).map(\.name))
            return notice(lines, to: speaker)
        }
        if let topic = HelpTopic(word) { return notice(lines(about: topic, speaker), to: speaker) }
        guard let command = Command.named(word) else {
            return notice(Phrases.unknownCommand(bot), to: speaker)
        }
        guard command.isOffered(self, speaker) else { return notice(Phrases.isOff(command.name), to: speaker) }
        return notice(["/msg \(bot) \(command.usage): \(command.summary)."] + command.details, to: speaker)
    }

    /// Some share a line where there would be too many.
    private func lines(about topic: HelpTopic, _ speaker: Speaker) -> [String] {
        let bot = ownNick(on: speaker.connection)
        var lines = available(topic, to: speaker).map { "\($0.usage): \($0.summary)" }
        if topic == .channel { lines = Phrases.helpInChannel(bot) + lines }
        let room = HelpTopic.maxLines - 1
        var index = lines.count - 2
        while lines.count > room, index >= 0 {
            lines[index] += ". " + lines.remove(at: index + 1)
            index -= 2
        }
        return [Phrases.helpOn(topic, bot)] + lines
    }

    /// The commands of a topic that do something here, for this person as they are now.
    private func available(_ topic: HelpTopic, to speaker: Speaker) -> [Command] {
        topic.commands.filter { command in
            guard command.isOffered(self, speaker) else { return false }
            guard topic == .account else { return true }
            return speaker.login == nil ? command.isToStart || command.name == "WHOAMI" : !command.isToStart
        }
    }
}
