import Domain
import Testing

@testable import IRCProtocol

@Suite("A nick that changed hands while the reader has not heard of it")
struct DeparturesTests {
    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    @Test("reaches nobody for those who speak on old knowledge, and its new owner for those who know")
    func quit() {
        var departures = Departures()
        departures.left(nick("alice"), number: 7, handled: 3)
        #expect(departures.recipient(nick("Alice"), heard: 6) == nil)
        #expect(departures.recipient(nick("alice"), heard: 7) == nick("alice"))
        #expect(departures.recipient(nick("bob"), heard: 0) == nick("bob"))
    }

    @Test("reaches nobody from another address who turned up there, and the same person as before")
    func arrivals() {
        var departures = Departures()
        departures.arrived(nick("alice"), from: "m@elsewhere", number: 7, handled: 3)
        #expect(departures.recipient(nick("Alice"), at: "a@home", heard: 6) == nil)
        #expect(departures.recipient(nick("alice"), at: "m@elsewhere", heard: 6) == nick("alice"))
        #expect(departures.recipient(nick("alice"), at: "a@home", heard: 7) == nick("alice"))
        #expect(departures.recipient(nick("alice"), heard: 6) == nick("alice"))
        departures.left(nick("bob"), for: nick("alice"), number: 8, handled: 3)
        #expect(departures.recipient(nick("bob"), at: "b@b", heard: 6) == nick("alice"))
        // What the reader knows already is forgotten now and then.
        for number in 9..<2000 {
            departures.arrived(nick("n\(number)"), from: "x@x", number: UInt64(number), handled: UInt64(number))
        }
        #expect(departures.recipient(nick("alice"), at: "a@home", heard: 6) == nick("alice"))
    }

    @Test("follows the person over several names, but never to someone who came after")
    func renames() {
        var departures = Departures()
        departures.left(nick("alice"), for: nick("ali"), number: 5, handled: 0)
        departures.left(nick("ali"), for: nick("al"), number: 6, handled: 0)
        #expect(departures.recipient(nick("alice"), heard: 4) == nick("al"))
        #expect(departures.recipient(nick("ali"), heard: 4) == nick("al"))
        departures.left(nick("al"), number: 8, handled: 0)
        #expect(departures.recipient(nick("alice"), heard: 4) == nil)
        #expect(departures.recipient(nick("al"), heard: 8) == nick("al"))
    }

    @Test("swapping nicks through a third leads each line to whom it was meant for")
    func swap() {
        var departures = Departures()
        departures.left(nick("a"), for: nick("c"), number: 1, handled: 0)
        departures.left(nick("b"), for: nick("a"), number: 2, handled: 0)
        departures.left(nick("c"), for: nick("b"), number: 3, handled: 0)
        #expect(departures.recipient(nick("a"), heard: 0) == nick("b"))
        #expect(departures.recipient(nick("b"), heard: 0) == nick("a"))
    }

    @Test("a change of casemapping loses no departure")
    func remapped() {
        var departures = Departures()
        let ascii = { (name: String) in Nick(name, .ascii) }
        departures.left(ascii("a[b"), for: ascii("c[d"), number: 5, handled: 0)
        departures.left(ascii("A{B"), number: 6, handled: 0)
        departures.left(ascii("e[f"), for: ascii("G[H"), number: 7, handled: 0)
        departures.remap(.rfc1459)
        #expect(departures.recipient(nick("a{b"), heard: 4) == nil)
        #expect(departures.recipient(nick("E{F"), heard: 4) == nick("g{h"))
    }
}
