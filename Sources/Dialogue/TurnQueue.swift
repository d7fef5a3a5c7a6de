import Domain

/// The number of a turn in this process.
struct TurnID: Hashable, Sendable {
    let number: UInt64
}

/// Which questions may go to the API now, which wait, and which are refused.
///
/// Invariant: at most one turn of an account is under way, a bounded number of it waits, and so does a bounded number in
/// all; among those that may start, the one that came first does. A value without clocks: the bot does what it says.
struct TurnQueue: Sendable {
    struct Limits: Sendable {
        var waitingPerAccount = 3
        /// Requests to the API at one time.
        var inFlight: Int
        /// Waiting turns of all accounts.
        var waiting: Int

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
        /// As many in all wait as may.
        case refusedAll
    }

    private struct Entry {
        let turn: TurnID
        let account: AccountID
    }

    let limits: Limits
    /// Accounts with a turn under way: asked of the API, or its answer being said.
    private var busy: [AccountID: TurnID] = [:]
    /// At the API now.
    private var inFlight: Set<TurnID> = []
    /// In the order they came.
    private var waiting: [Entry] = []

    init(limits: Limits) { self.limits = limits }

    var isIdle: Bool { busy.isEmpty && waiting.isEmpty }

    /// The turn of an account that is under way; else the first one that waits.
    func first(of account: AccountID) -> TurnID? {
        busy[account] ?? waiting.first { $0.account == account }?.turn
    }

    mutating func admit(_ turn: TurnID, of account: AccountID) -> Admission {
        if busy[account] == nil && inFlight.count < limits.inFlight {
            start(turn, account)
            return .starts
        }
        guard waiting.count(where: { $0.account == account }) < limits.waitingPerAccount else { return .refusedOwn }
        guard waiting.count < limits.waiting else { return .refusedAll }
        waiting.append(Entry(turn: turn, account: account))
        return .waits
    }

    /// The API is done with a turn, and its answer is on its way to people; the turns that start now.
    mutating func answered(_ turn: TurnID) -> [TurnID] {
        inFlight.remove(turn)
        return startNext()
    }

    /// A turn is over altogether, wherever it was; the turns that start now.
    mutating func finished(_ turn: TurnID, of account: AccountID) -> [TurnID] {
        if let index = waiting.firstIndex(where: { $0.turn == turn }) {
            waiting.remove(at: index)
            return []
        }
        inFlight.remove(turn)
        if busy[account] == turn { busy[account] = nil }
        return startNext()
    }

    /// Gives up all that wait.
    mutating func clearWaiting() -> [TurnID] {
        defer { waiting = [] }
        return waiting.map(\.turn)
    }

    private mutating func start(_ turn: TurnID, _ account: AccountID) {
        busy[account] = turn
        inFlight.insert(turn)
    }

    private mutating func startNext() -> [TurnID] {
        var started: [TurnID] = []
        while inFlight.count < limits.inFlight,
            let index = waiting.firstIndex(where: { busy[$0.account] == nil })
        {
            let next = waiting.remove(at: index)
            start(next.turn, next.account)
            started.append(next.turn)
        }
        return started
    }
}
