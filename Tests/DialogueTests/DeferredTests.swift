import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct DeferredTests {
    private let connection = ConnectionID(network: NetworkName("test"), epoch: 1)

    private func person(_ name: String, at host: String = "home") -> Person {
        Person(nick: Nick(name, .ascii), user: "u", host: host)
    }

    private func message(_ text: String, by person: Person) -> Message {
        Message(sender: person, place: .direct, text: text)
    }

    private func lane(_ name: String) -> Lane { Lane(connection: connection, nick: Nick(name, .ascii)) }

    private func login(of person: Person) throws -> Unwatched {
        let stranger = Addressee.stranger(StrangerID(connection: connection, number: 1))
        let speaker = Speaker(
            connection: connection, person: person, place: .direct, addressee: stranger, login: nil)
        return Unwatched(speaker: speaker, command: try #require(Command.named("LOGIN")), arguments: [])
    }

    @Test(arguments: 0..<30) func `every hold has one release, which gives what was said in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var deferred = Deferred()
        var held: [VisitID: [String]] = [:]
        for number in 0..<500 {
            let visit = VisitID(connection: connection, number: UInt64.random(in: 1...3, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                deferred.hold(visit)
                held[visit] = held[visit] ?? []
            case 1:
                let released = deferred.release(visit)?.map(\.text)
                #expect(released == held.removeValue(forKey: visit))
            default:
                deferred.add(message("\(number)", by: person("a")), of: visit)
                if let lines = held[visit], lines.count < Deferred.maxLines { held[visit]?.append("\(number)") }
            }
            #expect(deferred.isHeld(visit) == (held[visit] != nil))
        }
    }

    @Test func `whoever waits to be watched is asked again with all they said since, once`() throws {
        var deferred = Deferred()
        let alice = person("alice")
        let before = deferred.add(message("early", by: alice), of: lane("alice"))
        #expect(!before)
        deferred.awaitWatch(of: lane("alice"), try login(of: alice))
        let added = (0..<12).map { deferred.add(message("\($0)", by: alice), of: lane("alice")) }
        #expect(added.allSatisfy { $0 })
        let another = deferred.add(message("me", by: person("alice", at: "evil")), of: lane("alice"))
        #expect(!another)
        let waited = deferred.takeUnwatched(lane("alice"))
        #expect(waited?.messages.map(\.text) == (0..<Deferred.maxLines).map { "\($0)" })
        let again = deferred.takeUnwatched(lane("alice"))
        #expect(again == nil)
    }

    @Test func `nobody waits for the word of a connection that is over`() throws {
        var deferred = Deferred()
        deferred.awaitWatch(of: lane("alice"), try login(of: person("alice")))
        let next = Lane(connection: ConnectionID(network: NetworkName("test"), epoch: 2), nick: Nick("alice", .ascii))
        deferred.awaitWatch(of: next, try login(of: person("alice")))
        deferred.forgetUnwatched(on: connection)
        let (gone, waiting) = (deferred.takeUnwatched(lane("alice")), deferred.takeUnwatched(next))
        #expect(gone == nil && waiting != nil)
    }
}
