import Domain
import Testing

@testable import Dialogue

extension Turn {
    /// A question asked in private by the owner of an account, for tests that look at no more of it than whose it is.
    static func sample(_ id: TurnID, of account: Int64) throws -> Turn {
        let connection = ConnectionID(network: NetworkName("test"), epoch: 1)
        let person = Person(nick: Nick("n\(account)", .ascii), user: "u", host: "h")
        let visit = VisitID(connection: connection, number: UInt64(account))
        let speaker = Speaker(
            connection: connection, person: person, place: .direct, addressee: .visit(visit), login: nil)
        let owner = Account(
            id: AccountID(account), name: try #require(AccountName("n\(account)")), email: nil, firstName: nil,
            lastName: nil, registeredAt: Timestamp(milliseconds: 0))
        return Turn(
            id: id, speaker: speaker, visit: visit, account: owner, place: .direct, question: "?",
            askedAt: Timestamp(milliseconds: 0), countedAt: Moment(now: .zero, date: Timestamp(milliseconds: 0)))
    }
}
