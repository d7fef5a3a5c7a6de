import Domain
import Testing

@testable import Dialogue

@Suite struct ExposuresTests {
    private func exposed(_ nick: String, host: String, _ words: [String], login: String = "alice") -> ExposedPassword {
        let connection = ConnectionID(network: NetworkName("net"), epoch: 1)
        let person = Person(nick: Nick(nick, .ascii), user: nick, host: host)
        let speaker = Speaker(
            connection: connection, person: person, place: .direct,
            addressee: .visit(VisitID(connection: connection, number: 1)), login: nil)
        return ExposedPassword(speaker: speaker, trials: words.map { .init(login: login, word: Secret($0)) })
    }

    @Test func `words are tried in order, and a line is done when all were`() throws {
        var exposures = Exposures()
        let said = exposed("a", host: "h", ["one", "two"])
        let speaking = Exposures.Speaking(said.speaker)
        exposures.add(said, now: .zero)
        let line = try #require(exposures.next(of: speaking, now: .zero))
        exposures.postpone(line, of: speaking, until: .seconds(5))
        #expect(exposures.next(of: speaking, now: .seconds(4)) == nil && exposures.due == .seconds(5))
        #expect(exposures.speaking(dueAt: .seconds(4)).isEmpty && exposures.speaking(dueAt: .seconds(5)) == [speaking])
        exposures.tried(line, of: speaking)
        #expect(exposures.next(of: speaking, now: .seconds(5))?.trials.first?.word.reveal() == "two")
        exposures.tried(line, of: speaking)
        #expect(exposures.next(of: speaking, now: .seconds(5)) == nil && exposures.due == nil)
    }

    @Test func `a flood gives way to others, and keeps its own first lines`() {
        var exposures = Exposures(perSpeaker: 8, limit: 20)
        for number in 0..<100 { exposures.add(exposed("e", host: "evil", ["w\(number)"]), now: .zero) }
        #expect(exposures.count == 8)
        for number in 0..<100 { exposures.add(exposed("n", host: "host\(number)", ["w"]), now: .zero) }
        #expect(exposures.count == 20)
        let evil = Exposures.Speaking(exposed("e", host: "evil", []).speaker)
        #expect(exposures.next(of: evil, now: .zero)?.trials.first?.word.reveal() == "w0")
    }

    @Test func `what was said lets nobody in, by the account's name or its address, in either form of a letter`() throws
    {
        var exposures = Exposures()
        let alice = Account(
            id: AccountID(1), name: try #require(AccountName("Alice")), email: EmailAddress("A@example.org"),
            firstName: nil, lastName: nil, registeredAt: Timestamp(milliseconds: 0))
        exposures.add(exposed("a", host: "h", ["caf\u{E9}-horse"], login: "ALICE"), now: .zero)
        exposures.add(exposed("b", host: "h", ["other-horse"], login: "a@EXAMPLE.org"), now: .zero)
        #expect(exposures.speaker(of: Secret("cafe\u{301}-horse"), for: alice)?.nick.spelling == "a")
        #expect(exposures.speaker(of: Secret("other-horse"), for: alice)?.nick.spelling == "b")
        #expect(exposures.speaker(of: Secret("third-horse"), for: alice) == nil)
    }
}
