import Domain
import Testing

@testable import IRCProtocol

@Suite("Masks")
struct OwnMaskTests {
    @Test(
        "are taken apart, also where something is missing",
        arguments: [
            ("alice!a@home", "alice", "a", "home"), ("alice!a@b@c", "alice", "a", "b@c"),
            ("irc.test", "irc.test", "", ""),
            ("alice!a", "alice", "a", ""), ("!@", "", "", ""), ("", "", "", ""),
        ])
    func person(mask: String, nick: String, user: String, host: String) {
        let person = Person(mask: mask, .rfc1459)
        #expect(person.nick.spelling == nick)
        #expect(person.user == user)
        #expect(person.host == host)
    }

    @Test("the bot's own follows what the server shows")
    func own() {
        var own = OwnMask(nick: Nick("confab", .rfc1459))
        #expect(own.user == nil && own.host == nil)
        own.learn(from: Person(mask: "confab", .rfc1459))
        #expect(own.host == nil)
        own.learn(from: Person(mask: "confab!~c@host.example", .rfc1459))
        #expect(own.user == "~c" && own.host == "host.example")
        own.display("cloak/bot")
        #expect(own.user == "~c" && own.host == "cloak/bot")
        own.display("c@cloak")
        #expect(own.user == "c" && own.host == "cloak")
        own.move(user: "u", host: "h")
        #expect(own.user == "u" && own.host == "h")
    }

    @Test("equality is by the casemapping, never by how a nick begins")
    func equality() {
        let own = OwnMask(nick: Nick("bot[ai]", .rfc1459))
        #expect(own.isSelf("BOT{AI}", .rfc1459))
        #expect(!own.isSelf("bot[ai]2", .rfc1459))
        #expect(!own.isSelf("bot", .rfc1459))
        #expect(!OwnMask(nick: Nick("bot[ai]", .ascii)).isSelf("bot{ai}", .ascii))
    }
}
