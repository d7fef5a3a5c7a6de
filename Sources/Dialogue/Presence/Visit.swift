import Domain
import Passwords

/// The number of a visit: one person's presence on one connection, never used again for another.
struct VisitID: Hashable, Sendable {
    let connection: ConnectionID
    let number: UInt64
}

/// One person's presence where the bot sees it: from the first shared channel to the last, or as long as the server watches
/// them.
///
/// A nick is only where a visit can be found just now. Whoever turns up under a nick with another address is another
/// person, and so another visit.
struct Visit: Sendable {
    let id: VisitID
    /// Where the person can be spoken to now.
    var nick: Nick
    /// As a line last showed them; nil while nothing told more of them than the nick.
    var person: Person?
    var login: Login?
    /// The server says so (WHO): a bot is never answered.
    var isBot = false
    /// Logged out on purpose: a services account does not log this visit in again.
    var staysOut = false
}

/// What a visit is logged in to.
struct Login: Sendable {
    var account: Account
    /// For people to read.
    let since: Timestamp
    /// By the monotonic clock, for the limits.
    let startedAt: Duration
    var lastHeardAt: Duration
    var loop = LoopGuard()
    /// Of the password that opened it; nil where none did, as for a services account.
    var fingerprint: PasswordFingerprint?
}

/// A login that is over, for whoever must act on it.
struct EndedLogin: Sendable {
    enum Reason: Sendable, Equatable {
        /// Not in sight any more: quit, or the bot's own connection or channel lost.
        case gone
        /// Parted the last shared channel, and may still be there.
        case outOfSight
        case addressChanged
        case servicesAccountChanged
        /// Someone else came to be under the same nick.
        case nickTaken
        case idle
        case expired
        /// The account logged in elsewhere once too often.
        case crowdedOut
        case loggedOut
        /// Ended by the same account from another login.
        case endedElsewhere
        case passwordChanged
        /// Ended by an operator or administrator: disabled, deleted, or given another password.
        case closed
        /// The owner deleted the account from another login.
        case deleted
    }

    let visit: VisitID
    let nick: Nick
    let account: Account
    let reason: Reason
}
