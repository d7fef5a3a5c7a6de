/// One connection to one network: a reconnect is a new one, and nothing known about people outlives it.
public struct ConnectionID: Hashable, Sendable {
    public let network: NetworkName
    /// Counts the connections of the process; never reused.
    public let epoch: UInt64

    public init(network: NetworkName, epoch: UInt64) {
        self.network = network
        self.epoch = epoch
    }
}

/// Something that happened on a network, in the order it happened there.
public struct ChatEvent: Sendable, Equatable {
    public let connection: ConnectionID
    public let kind: Kind

    public init(_ connection: ConnectionID, _ kind: Kind) {
        self.connection = connection
        self.kind = kind
    }

    public enum Kind: Sendable, Equatable {
        /// Registered; channels are being joined.
        case online(nick: Nick, mapping: CaseMapping)
        /// The connection is over and everyone on it is out of sight. Comes once for each `online`.
        case offline(reason: String)
        /// The server gave the bot another nick.
        case ownNick(Nick)
        /// The server changed its casemapping; every key made with the old one must be made again.
        case casemapping(CaseMapping)
        case joined(Person, ChannelName)
        /// The bot itself is in this channel now.
        case entered(ChannelName)
        /// Who is there besides the bot, all at once, after the bot entered: replaces what was known of the channel.
        case members(ChannelName, [Member])
        /// A member was given an operator's rank (its mode letter), or lost it.
        case ranked(Nick, ChannelName, rank: Character, isHeld: Bool)
        /// The server was asked about someone: what it said, and whether it takes them for a bot. The services account is
        /// the one told, or nil where it tells none.
        case seen(Person, isBot: Bool)
        /// A channel goes by another name now; its members are the same.
        case channelRenamed(ChannelName, to: ChannelName)
        /// Someone parted or was kicked.
        case left(Nick, ChannelName)
        /// The bot itself parted or was kicked.
        case expelled(ChannelName, reason: String)
        /// Somebody has the nick that the server was asked to watch: who, where the server tells. From now on their leaving
        /// is told.
        case watched(Nick, Person?)
        /// Whoever had a watched nick has it no longer, or it cannot be watched; whoever has it next is not watched.
        case unwatched(Nick)
        /// Someone quit, was killed or vanished in a netsplit.
        case quit(Nick)
        /// Someone changed nick; `Person` is who they were until then.
        case renamed(Person, to: Nick)
        /// Someone's user or host changed; `Person` is who they were until then.
        case moved(Person, user: String, host: String)
        /// Someone logged in to or out of the network's services; `Person` carries the new account.
        case servicesAccount(Person)
        case message(Message)
        /// The server refused something the bot said there (404, 401, 477 …).
        case refused(Target, reason: String)
    }
}

/// What somebody said where the bot hears it: a line, or several where the network lets people send them as one. Notices,
/// CTCP other than ACTION, echoes, replays, servers and marked bots never become one.
public struct Message: Sendable, Equatable {
    public let sender: Person
    public let place: Place
    /// Valid UTF-8 without control characters, but for `\n` between lines; formatting codes of IRC taken off.
    public let text: String
    /// `/me` text.
    public let isAction: Bool
    /// What was sent is no UTF-8: `text` is a guess at it, and good for everything but a password.
    public let isGarbled: Bool
    /// As long as a line may be, so that the client has surely cut it and the rest follows.
    public let isFull: Bool
    /// The blanks before the text, tabs counted as one: pasted code needs them.
    public let indentation: Int
    /// A blank followed the text, as where a client cuts a line between words.
    public let endsInBlank: Bool

    public init(
        sender: Person, place: Place, text: String, isAction: Bool = false, isGarbled: Bool = false,
        isFull: Bool = false, indentation: Int = 0, endsInBlank: Bool = false
    ) {
        self.sender = sender
        self.place = place
        self.text = text
        self.isAction = isAction
        self.isGarbled = isGarbled
        self.isFull = isFull
        self.indentation = indentation
        self.endsInBlank = endsInBlank
    }

    /// The same in another place.
    public func moved(to place: Place) -> Message { said(by: sender, in: place) }

    /// The same, by the person as they are known now.
    public func said(by person: Person, in place: Place) -> Message {
        Message(
            sender: person, place: place, text: text, isAction: isAction, isGarbled: isGarbled, isFull: isFull,
            indentation: indentation, endsInBlank: endsInBlank)
    }
}

/// Someone in a channel, as the list of its members shows them.
public struct Member: Sendable, Equatable {
    public let nick: Nick
    /// Nil where the list tells nicks only.
    public let person: Person?
    /// The mode letters of the ranks held, of those that make an operator.
    public let ranks: Set<Character>

    public init(_ nick: Nick, person: Person? = nil, ranks: Set<Character> = []) {
        self.nick = nick
        self.person = person
        self.ranks = ranks
    }
}
