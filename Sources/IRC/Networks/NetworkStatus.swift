public import Domain
import IRCProtocol

/// How one network stands at this moment, for whoever runs the bot.
public struct NetworkStatus: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// Looking up, connecting, registering or logging in.
        case connecting
        case online
        /// Lost, and to be tried again after this long.
        case waiting(Duration)
        /// Given up: what failed is nothing that another attempt mends.
        case stopped
    }

    /// Why a connection ended, or was not made.
    public struct Failure: Sendable, Equatable {
        /// In words; a server's own among them, cleaned of everything that is not text.
        public let reason: String
        public let at: Timestamp

        init(_ reason: String, at: Timestamp) {
            self.reason = OutgoingGate.clean(reason)
            self.at = at
        }
    }

    public let name: NetworkName
    public let state: State
    /// When it came into this state.
    public let since: Timestamp
    /// The bot's own; nil while it is not online.
    public let nick: String?
    /// The services account it is logged in to.
    public let account: String?
    /// Those it is in.
    public let channels: [String]
    /// How long the server took to answer the last PING, or has been taking to answer this one.
    public let lag: Duration?
    /// Lines that wait to be sent.
    public let queuedLines: Int
    /// Lines that were played back on this connection, and so not heard.
    public let setAsideLines: Int
    public let lastFailure: Failure?
}
