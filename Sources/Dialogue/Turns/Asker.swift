import Domain

/// Who has a place in the queue: an account, or somebody who comes through a relay under the relay's account.
struct Asker: Hashable, Sendable {
    let account: AccountID
    /// The key of their place; nil for people who talk to the bot themselves.
    let relayedPlace: String?

    init(_ account: AccountID, in place: Place = .direct) {
        self.account = account
        relayedPlace = place.relayed == nil ? nil : place.key
    }
}
