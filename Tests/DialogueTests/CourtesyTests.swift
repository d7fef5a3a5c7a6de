import Domain
import Testing

@testable import Dialogue

/// Once and not again for a while.
@Suite struct CourtesyTests {
    private let connection = ConnectionID(network: NetworkName("n"), epoch: 1)

    private func asks(_ courtesy: inout Courtesy, _ nick: Nick, at now: Duration) -> Bool {
        courtesy.allows(.refusal, to: nick, on: connection, every: .seconds(60), now: now)
    }

    @Test func `when a casemapping makes two people one, what was told to either counts`() {
        var courtesy = Courtesy()
        for number in 1...30 {
            #expect(asks(&courtesy, Nick("a{\(number)", .ascii), at: .seconds(10)))
            #expect(asks(&courtesy, Nick("a[\(number)", .ascii), at: .seconds(100)))
        }
        courtesy.remap(.rfc1459, on: connection)
        for number in 1...30 { #expect(!asks(&courtesy, Nick("a[\(number)", .rfc1459), at: .seconds(120))) }
        #expect(asks(&courtesy, Nick("a{1", .rfc1459), at: .seconds(160)))
    }
}
