import Domain

/// A question on its way to its answer.
struct Turn: Sendable {
    let id: TurnID
    let speaker: Speaker
    let visit: VisitID
    let account: Account
    let place: Place
    /// As it was when it was asked last; lines may join it while nothing of the answer was said.
    var question: String
    let askedAt: Timestamp
    /// The same moment for limits.
    let countedAt: Moment
    /// The number of the exchange whose question this is, asked again.
    var retryOf: Int?

    var asker: Asker { Asker(account.id, in: place) }
}
