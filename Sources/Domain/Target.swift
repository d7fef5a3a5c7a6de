/// Whom a line is sent to.
public enum Target: Hashable, Sendable {
    case channel(ChannelName)
    /// Those members of a channel who have the rank of this mark, or a higher one: `@#channel` (ISUPPORT `STATUSMSG`).
    case ranks(String, ChannelName)
    case nick(Nick)

    /// As it stands in a line.
    public var spelling: String {
        switch self {
        case .channel(let name): name.spelling
        case .ranks(let mark, let name): mark + name.spelling
        case .nick(let nick): nick.spelling
        }
    }

    /// The channel it is in; nil for a nick.
    public var channel: ChannelName? {
        switch self {
        case .channel(let name), .ranks(_, let name): name
        case .nick: nil
        }
    }

    /// The same one, its key made by this casemapping.
    public func folded(by mapping: CaseMapping) -> Target {
        switch self {
        case .channel(let name): .channel(ChannelName(name.spelling, mapping))
        case .ranks(let mark, let name): .ranks(mark, ChannelName(name.spelling, mapping))
        case .nick(let nick): .nick(Nick(nick.spelling, mapping))
        }
    }

    /// The same one in another channel.
    public func moved(to channel: ChannelName) -> Target {
        switch self {
        case .channel: .channel(channel)
        case .ranks(let mark, _): .ranks(mark, channel)
        case .nick: self
        }
    }
}
