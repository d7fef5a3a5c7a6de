import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct NoticesTests {
    private let connection = ConnectionID(network: NetworkName("test"), epoch: 1)

    @Test(arguments: 0..<30) func `one says them to each person, in order, until nothing waits`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var notices = Notices()
        let people = (1...3).map { Addressee.stranger(StrangerID(connection: connection, number: $0)) }
        // Of each person: what waits, and whether somebody says it.
        var waiting: [Addressee: [String]] = [:]
        var isSaying: Set<Addressee> = []
        for number in 0..<500 {
            let person = people.randomElement(using: &random) ?? people[0]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let begins = notices.add(["\(number)"], for: person)
                #expect(begins == !isSaying.contains(person))
                isSaying.insert(person)
                if waiting[person, default: []].count < Notices.maxWaiting {
                    waiting[person, default: []].append("\(number)")
                }
            case 5..<9:
                guard isSaying.contains(person) else { break }
                let next = notices.next(for: person)
                #expect(next?.first == waiting[person]?.first)
                if next == nil { isSaying.remove(person) } else { waiting[person]?.removeFirst() }
            default:
                notices.discard(for: person)
                waiting[person] = nil
            }
        }
        for person in isSaying {
            var rest: [String] = []
            while let next = notices.next(for: person) { rest += next }
            #expect(rest == waiting[person, default: []])
            let begins = notices.add(["again"], for: person)
            #expect(begins)
        }
    }
}
