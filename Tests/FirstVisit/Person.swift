import Glibc
import TestKit

/// Someone at an IRC client whose screen is printed.
final class Person {
    let nick: String
    private let client: IRCClient
    private var shown = 0

    init(nick: String, port: Int) async throws {
        self.nick = nick
        client = try await IRCClient(nick: nick, port: port)
        // The welcome of the server is the same for everyone and nothing to do with the bot.
        shown = client.lines.count
    }

    func join(_ channel: String) async throws {
        show(typed: "/join \(channel)")
        try await client.join(channel)
        show()
    }

    func say(_ text: String, in channel: String) {
        show(typed: text)
        client.say(text, to: channel)
    }

    func tell(_ other: String, _ text: String) {
        show(typed: "/msg \(other) \(text)")
        client.say(text, to: other)
    }

    /// Waits for a notice with these words, sent to this person alone.
    @discardableResult
    func awaitNotice(from bot: String, containing words: String) async throws -> String {
        let line = try await client.expectNotice(from: bot, containing: words)
        show()
        return line
    }

    /// The first line of the answer to this person, in a channel or to the nick itself. A model may take its time.
    func awaitAnswer(from bot: String, in target: String) async throws -> String {
        let opening = target == nick ? "" : "\(nick): "
        let line = try await client.expect("an answer in \(target)", within: .seconds(120)) {
            $0.command == "PRIVMSG" && $0.source == bot && $0.target == target && $0.text.hasPrefix(opening)
        }
        show()
        return String(line.text.dropFirst(opening.count))
    }

    /// All the bot ever sent to this person alone.
    func heard(from bot: String) -> [String] { client.heard(from: bot, to: nick) }

    func quit() {
        show(typed: "/quit")
        client.quit()
    }

    private func show(typed text: String) {
        show()
        emit("> \(text)")
    }

    /// Prints what came since the last time, as a client shows it.
    func show() {
        let lines = client.lines
        for line in lines[shown...] {
            switch line.command {
            case "PRIVMSG" where line.target == nick: emit("[\(line.source)] \(line.text)")
            case "PRIVMSG": emit("\(line.target) <\(line.source)> \(line.text)")
            case "NOTICE": emit("-\(line.source)- \(line.text)")
            case "JOIN": emit("* \(line.source) has joined \(line.target)")
            case "QUIT": emit("* \(line.source) has quit")
            case "353": emit("* in the channel: \(line.text)")
            default: break
            }
        }
        shown = lines.count
    }

    private func emit(_ text: String) {
        print("\(nick)\(String(repeating: " ", count: max(0, 6 - nick.utf8.count)))| \(text)")
        fflush(nil)
    }
}
