import Domain

/// The number of a turn in this process.
struct TurnID: Hashable, Sendable {
    let number: UInt64
}

/// Which questions may go to the API now, which wait, and which are refused.
///
/// Invariant: at most one turn of an account is under way, a bounded number of it waits, and so does a bounded number in
/// all, and of a channel where the operator wants it; among those that may start, the one that came first does. A value
/// without clocks: the bot does what it says.
struct TurnQueue: Sendable {
    struct Limits: Sendable {
        var waitingPerAccount = 3
        /// Requests to the API at one time.
        var inFlight: Int
        /// Waiting turns of all accounts.
        var waiting: Int
        /// The same of one channel; nil for as many as come.
        var inFlightPerChannel: Int?
        var waitingPerChannel: Int?

        init(inFlight: Int) {
            self.inFlight = inFlight
            waiting = max(256, 4 * inFlight)
        }
    }

    enum Admission: Sendable, Equatable {
        case starts
        case waits
        /// As many of the account's own wait as may.
        case refusedOwn
        /// As many of the channel wait as may.
        case refusedChannel
        /// As many in all wait as may.
        case refusedAll
    }

    /// A channel on a network, folded.
    struct Channel: Hashable, Sendable {
        let network: NetworkName
        let name: ChannelName
    }

    private struct Entry {
        let turn: TurnID
        let asker: Asker
        /// Nil in private.
        let channel: Channel?
    }

    let limits: Limits
    /// Accounts with a turn under way: asked of the API, or its answer being said.
    private var busy: [Asker: TurnID] = [:]
    /// At the API now.
    private var inFlight: [TurnID: Entry] = [:]
    /// How many of them are of each channel that has any.
    private var load: [Channel: Int] = [:]
    /// In the order they came.
    private var waiting: [Entry] = []

    init(limits: Limits) { self.limits = limits }

    var isIdle: Bool { busy.isEmpty && waiting.isEmpty }

    /// The turn of an account that is under way; else the first one that waits.
    func first(of asker: Asker) -> TurnID? {
        busy[asker] ?? waiting.first { $0.asker == asker }?.turn
    }

    mutating func admit(_ turn: TurnID, of asker: Asker, in channel: Channel? = nil) -> Admission {
        let entry = Entry(turn: turn, asker: asker, channel: channel)
        if inFlight.count < limits.inFlight && mayStart(entry) {
            start(entry)
            return .starts
        }
        guard waiting.count(where: { $0.asker == asker }) < limits.waitingPerAccount else { return .refusedOwn }
        if let channel, let most = limits.waitingPerChannel,
            waiting.count(where: { $0.channel == channel }) >= most
        {
            return .refusedChannel
        }
        guard waiting.count < limits.waiting else { return .refusedAll }
        waiting.append(entry)
        return .waits
    }

    /// The API is done with a turn, and its answer is on its way to people; the turns that start now.
    mutating func answered(_ turn: TurnID) -> [TurnID] {
        leave(turn)
        return startNext()
    }

    /// A turn is over altogether, wherever it was; the turns that start now.
    mutating func finished(_ turn: TurnID, of asker: Asker) -> [TurnID] {
        if let index = waiting.firstIndex(where: { $0.turn == turn }) {
            waiting.remove(at: index)
            return []
        }
        leave(turn)
        if busy[asker] == turn { busy[asker] = nil }
        return startNext()
    }

    /// Gives up all that wait.
    mutating func clearWaiting() -> [TurnID] {
        defer { waiting = [] }
        return waiting.map(\.turn)
    }

    private func mayStart(_ entry: Entry) -> Bool {
        guard busy[entry.asker] == nil else { return false }
        guard let channel = entry.channel, let most = limits.inFlightPerChannel else { return true }
        return load[channel, default: 0] < most
    }

    private mutating func start(_ entry: Entry) {
        busy[entry.asker] = entry.turn
        inFlight[entry.turn] = entry
        if let channel = entry.channel { load[channel, default: 0] += 1 }
    }

    private mutating func leave(_ turn: TurnID) {
        guard let channel = inFlight.removeValue(forKey: turn)?.channel else { return }
        let left = load[channel, default: 1] - 1
        load[channel] = left > 0 ? left : nil
    }

    private mutating func startNext() -> [TurnID] {
        var started: [TurnID] = []
        while inFlight.count < limits.inFlight,
            let index = waiting.firstIndex(where: mayStart)
        {
            let next = waiting.remove(at: index)
            start(next)
            started.append(next.turn)
        }
        return started
    }
}
