/// The number of an exchange in the whole store.
public struct ExchangeID: Hashable, Sendable {
    public let value: Int64

    public init(_ value: Int64) { self.value = value }
}

/// Where a conversation goes on: a channel, or in private with the bot.
///
/// A conversation is an account in a place on a network; context never crosses from one to another.
public enum Place: Hashable, Sendable {
    case channel(ChannelName)
    /// Among those members of a channel who have the rank of this mark, or a higher one: `@#channel`. What is said there
    /// stays there.
    case ranks(String, ChannelName)
    /// In a channel, by somebody whom a relay carries there from another network, by their name there.
    case relayed(String, ChannelName)
    case direct

    /// The part of a conversation's key that is stored: '' cannot be a channel.
    public var key: String {
        switch self {
        case .channel(let name): name.folded
        case .ranks(let mark, let name): mark + name.folded
        // No channel has a space in it.
        case .relayed(let person, let name): name.folded + " " + person.lowercased()
        case .direct: ""
        }
    }

    /// As people write it; nil in private.
    public var spelling: String? {
        switch self {
        case .channel(let name): name.spelling
        case .ranks(let mark, let name): mark + name.spelling
        case .relayed(_, let name): name.spelling
        case .direct: nil
        }
    }

    /// The channel it is in; nil in private.
    public var channel: ChannelName? {
        switch self {
        case .channel(let name), .ranks(_, let name), .relayed(_, let name): name
        case .direct: nil
        }
    }

    /// Who a relay says it is; nil for people who are there themselves.
    public var relayed: String? {
        if case .relayed(let person, _) = self { person } else { nil }
    }

    /// The same one in another channel.
    public func moved(to channel: ChannelName) -> Place {
        switch self {
        case .channel: .channel(channel)
        case .ranks(let mark, _): .ranks(mark, channel)
        case .relayed(let person, _): .relayed(person, channel)
        case .direct: self
        }
    }
}

/// How far an exchange came.
public enum ExchangeState: String, Sendable, CaseIterable {
    /// The question is stored and the answer is not there yet.
    case pending
    /// The answer is stored; it is being said or has been said.
    case answered
    /// The answer is stored, and the network did not take it.
    case undelivered
    /// The API gave no answer; what came of it, if anything, is stored.
    case failed
    /// The bot stopped before the answer came. Never asked again by itself: it may have been paid for.
    case interrupted
}

/// One question and what became of it, as it is read back.
public struct Exchange: Sendable, Equatable {
    public let id: ExchangeID
    /// Counts an account's own exchanges from 1; what people call it.
    public let number: Int
    public let network: NetworkName
    /// The channel as it was spelled, or nil for a private exchange.
    public let channel: String?
    public let question: String
    public let answer: String?
    public let state: ExchangeState
    public let askedAt: Timestamp
    /// Interrupted because its asker said so.
    public let isStopped: Bool

    public init(
        id: ExchangeID, number: Int, network: NetworkName, channel: String?, question: String, answer: String?,
        state: ExchangeState, askedAt: Timestamp, isStopped: Bool = false
    ) {
        self.id = id
        self.number = number
        self.network = network
        self.channel = channel
        self.question = question
        self.answer = answer
        self.state = state
        self.askedAt = askedAt
        self.isStopped = isStopped
    }
}
