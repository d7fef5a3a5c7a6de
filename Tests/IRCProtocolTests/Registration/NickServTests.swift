import Domain
import IRCTestKit
import Testing

@testable import IRCProtocol

@Suite("The login by NickServ")
struct NickServTests {
    private let nickServ = NickServ(settings: .identify())

    private func answer(_ line: String, _ mapping: CaseMapping = .rfc1459) -> NickServ.Answer? {
        IRCMessage(line).flatMap { nickServ.answer(in: $0, to: OwnMask(nick: Nick("confab", mapping)), mapping) }
    }

    @Test("writes the line as the template says")
    func line() {
        #expect(nickServ.line == "PRIVMSG NickServ :IDENTIFY bot canary-sesame")
        let other = NickServ(settings: .identify(command: "NICKSERV IDENTIFY {password}"))
        #expect(other.line == "NICKSERV IDENTIFY canary-sesame")
    }

    @Test(
        "knows services' yes, with their bold and colours",
        arguments: [
            ":NickServ!NickServ@services. NOTICE confab :You are now identified for \u{2}bot\u{2}.",
            ":NickServ!NickServ@services. NOTICE CONFAB :You are now \u{2}identified\u{2}.",
            ":nickserv!n@s NOTICE confab :\u{3}03Password accepted\u{F} - you are now recognized.",
            ":NickServ!NickServ@services. PRIVMSG confab :You are now identified.",
            ":NickServ NOTICE confab :You are now identified.", ":NickServ!n@s MODE confab :+ir",
            ":NickServ!n@s MODE confab -x+R",
        ])
    func accepted(line: String) {
        #expect(answer(line) == .accepted)
    }

    @Test("knows services' no, and tells it without the password")
    func refused() {
        #expect(
            answer(":NickServ!n@s NOTICE confab :Invalid password canary-sesame for \u{2}bot\u{2}.")
                == .refused("Invalid password (secret) for bot."))
    }

    @Test("knows that there is nobody to ask")
    func unavailable() {
        #expect(answer(":irc.test 401 confab NickServ :No such nick/channel") == .unavailable("No such nick/channel"))
        #expect(answer(":irc.test 440 confab NickServ :Services are down") == .unavailable("Services are down"))
        let addressed = NickServ(settings: .identify(command: "PRIVMSG NickServ@services.test :ID {password}"))
        let own = OwnMask(nick: Nick("confab", .rfc1459))
        let gone = IRCMessage(":irc.test 402 confab services.test :No such server")
        #expect(gone.flatMap { addressed.answer(in: $0, to: own, .rfc1459) } == .unavailable("No such server"))
        let alias = NickServ(settings: .identify(command: "NickServ IDENTIFY {password}"))
        let unknown = IRCMessage(":irc.test 421 confab NICKSERV :Unknown command")
        #expect(unknown.flatMap { alias.answer(in: $0, to: own, .rfc1459) } == .unavailable("Unknown command"))
    }

    @Test(
        "believes nobody else, and takes nothing else for an answer",
        arguments: [
            ":mallory!m@h NOTICE confab :You are now identified for bot.",
            ":NickServ_!m@h NOTICE confab :You are now identified for bot.",
            ":mallory!NickServ@services. NOTICE confab :You are now identified.",
            ":NickServ!n@s NOTICE #lobby :You are now identified.", ":NickServ!n@s NOTICE $* :You are now identified.",
            ":NickServ!n@s NOTICE confab :This nickname is registered. Please choose another, or identify.",
            ":confab!c@h MODE confab :+r", ":mallory!m@h MODE confab :+r", ":NickServ!n@s MODE confab :-r",
            ":NickServ!n@s MODE #lobby :+r", ":irc.test 401 confab alice :No such nick",
            ":irc.test 421 confab CAP :Unknown command", "NOTICE", ":NickServ!n@s NOTICE confab",
        ])
    func others(line: String) {
        #expect(answer(line) == nil)
    }
}
