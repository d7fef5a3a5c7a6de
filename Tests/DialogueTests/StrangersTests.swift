import Domain
import Testing

@testable import Dialogue

@Suite struct StrangersTests {
    @Test func `a stranger is somebody else after another address, a QUIT or a change of nick`() {
        let connection = ConnectionID(network: NetworkName("net"), epoch: 1)
        let bob = Person(nick: Nick("bob", .ascii), user: "bob", host: "home")
        let other = Person(nick: Nick("bob", .ascii), user: "eve", host: "evil")
        let channel = ChannelName("#c", .ascii)
        let changes: [(ChatEvent.Kind, isSame: Bool)] = [
            (.joined(bob, channel), true), (.joined(other, channel), false), (.quit(bob.nick), false),
            (.renamed(bob, to: Nick("rob", .ascii)), false),
            (.renamed(Person(nick: Nick("eve", .ascii), user: "e", host: "e"), to: bob.nick), false),
            (.seen(bob, isBot: false), true), (.seen(other, isBot: false), false), (.unwatched(bob.nick), true),
            (.watched(bob.nick, nil), true), (.watched(bob.nick, other), false), (.offline(reason: ""), false),
            (.members(channel, [Member(bob.nick, person: bob)]), true),
            (.members(channel, [Member(bob.nick)]), false),
            (.message(Message(sender: bob, place: .direct, text: "hi")), true),
            (.message(Message(sender: other, place: .direct, text: "hi")), false),
            (.left(bob.nick, channel), true), (.casemapping(.rfc1459), false),
        ]
        for (kind, isSame) in changes {
            var strangers = Strangers()
            let id = strangers.id(of: bob, on: connection)
            #expect(strangers.id(of: bob, on: connection) == id)
            strangers.take(ChatEvent(connection, kind))
            #expect((strangers.nick(of: id) == bob.nick) == isSame, "\(kind)")
            #expect(strangers.id(of: other, on: connection) != id)
            #expect(strangers.nick(of: id) == nil)
        }
    }

    @Test func `no more strangers are remembered than the limit, the latest ones`() {
        let connection = ConnectionID(network: NetworkName("net"), epoch: 1)
        var strangers = Strangers(limit: 4)
        let ids = (0..<10).map { number in
            strangers.id(of: Person(nick: Nick("n\(number)", .ascii), user: "u", host: "h"), on: connection)
        }
        #expect(
            ids.map { strangers.nick(of: $0) != nil } == Array(repeating: false, count: 6) + [true, true, true, true])
    }
}
