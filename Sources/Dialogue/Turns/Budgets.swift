import Domain
import Runtime
import Storage

/// How much may be asked; nil for as much as anyone likes.
public struct BudgetLimits: Sendable, Equatable {
    public var questionsPerMinute: Int?
    /// Days are those of UTC.
    public var questionsPerDay: Int?
    /// Question and answer together, as the API counts them, else estimated. An answer under way is not cut short by it.
    public var tokensPerDay: Int?

    public init(questionsPerMinute: Int? = nil, questionsPerDay: Int? = nil, tokensPerDay: Int? = nil) {
        self.questionsPerMinute = questionsPerMinute
        self.questionsPerDay = questionsPerDay
        self.tokensPerDay = tokensPerDay
    }
}

/// A moment as limits count it.
struct Moment: Sendable, Equatable {
    /// By the monotonic clock; what lasts a minute goes by it.
    let now: Duration
    /// The date, which never goes back; days go by it.
    let date: Timestamp
}

/// The date for what is counted by days: that of the wall clock, as long as that does not go back.
///
/// When it is set back, this one goes on from where it was, as fast as the monotonic clock: no day comes twice, and none
/// lasts longer than 24 hours.
struct SteadyDate: Sendable {
    private var last: Moment?

    mutating func moment(now: Duration, wall: Timestamp) -> Moment {
        let moment = Moment(now: now, date: last.map { max(wall, $0.date + max(.zero, now - $0.now)) } ?? wall)
        last = moment
        return moment
    }
}

/// What was asked lately, and whether more may be.
///
/// A value without clocks. It is filled from the store at the start, so that a restart gives nobody another day's worth.
struct Budgets: Sendable {
    /// Whose budget it is.
    enum Scope: Hashable, Sendable {
        case account(AccountID)
        /// A channel, or the ranks of one, on a network; by the key of its place.
        case channel(NetworkName, String)
        case all
    }

    struct Refusal: Sendable, Equatable {
        enum Measure: Sendable, Equatable { case questionsPerMinute, questionsPerDay, tokensPerDay }

        let scope: Scope
        let measure: Measure
        let limit: Int
        /// Until a question is taken again.
        let wait: Duration
    }

    /// What was asked and spent on a day.
    struct Count: Sendable, Equatable {
        fileprivate(set) var questions = 0
        fileprivate(set) var tokens = 0
        /// The questions of the last minute, oldest first, where so many are limited.
        fileprivate var lately: [Duration] = []
    }

    private static let minute: Duration = .seconds(60)
    private static let day: Int64 = 86_400_000

    let accountLimits: BudgetLimits
    let channelLimits: BudgetLimits
    let overallLimits: BudgetLimits
    private var counts: [Scope: Count] = [:]
    private var today: Int64 = 0

    init(
        account: BudgetLimits = BudgetLimits(), channel: BudgetLimits = BudgetLimits(),
        all: BudgetLimits = BudgetLimits()
    ) {
        accountLimits = account
        channelLimits = channel
        overallLimits = all
    }

    /// Whose questions count today: what was asked since the day began, or at most a day after now.
    static func countedToday(_ moment: Moment) -> (from: Timestamp, to: Timestamp) {
        let start = Timestamp(milliseconds: moment.date.milliseconds / day * day)
        return (start, moment.date + .milliseconds(day))
    }

    /// `place` is the key of one.
    static func scopes(_ account: AccountID, _ network: NetworkName, _ place: String) -> [Scope] {
        // Whoever a relay carries into a channel is in it: see `Place.key`.
        let channel = String(place.prefix { $0 != " " })
        return place.isEmpty ? [.account(account), .all] : [.account(account), .channel(network, channel), .all]
    }

    func count(of scope: Scope, now: Moment) -> Count {
        now.date.milliseconds / Self.day == today ? counts[scope] ?? Count() : Count()
    }

    /// Why a question is not taken now; of several reasons the one that lasts longest.
    func refusal(of scopes: [Scope], now: Moment) -> Refusal? {
        scopes.flatMap { refusals(of: $0, now: now) }.max { $0.wait < $1.wait }
    }

    mutating func asked(_ scopes: [Scope], at moment: Moment) {
        begin(moment)
        for scope in scopes {
            counts[scope, default: Count()].questions += 1
            guard limits(of: scope).questionsPerMinute != nil else { continue }
            counts[scope]?.lately.removeAll { moment.now - $0 >= Self.minute }
            counts[scope]?.lately.append(moment.now)
        }
    }

    /// `moment` is when it was asked: an answer that comes after midnight costs the day before, which is over.
    mutating func spent(_ tokens: Int, by scopes: [Scope], at moment: Moment) {
        guard moment.date.milliseconds / Self.day >= today else { return }
        begin(moment)
        for scope in scopes {
            let spent = counts[scope, default: Count()].tokens
            counts[scope, default: Count()].tokens = spent.addingSaturated(max(0, tokens))
        }
    }

    /// Counts what was asked before the bot was started, latest first. What is dated later than now was asked under a clock
    /// that was set back since, a moment ago for all that can be known.
    mutating func restore(_ records: [UsageRecord], at moment: Moment) {
        for record in records.reversed() {
            let date = min(record.askedAt, moment.date)
            let age = moment.date.milliseconds.subtractingSaturated(date.milliseconds)
            let askedAt = Moment(now: moment.now - .milliseconds(age), date: date)
            let scopes = Self.scopes(record.account, record.network, record.place)
            asked(scopes, at: askedAt)
            spent(record.tokens, by: scopes, at: askedAt)
        }
    }

    /// Yesterday's counts are no more.
    private mutating func begin(_ moment: Moment) {
        let day = moment.date.milliseconds / Self.day
        guard day > today else { return }
        today = day
        counts = counts.compactMapValues { count in
            let lately = count.lately.filter { moment.now - $0 < Self.minute }
            return lately.isEmpty ? nil : Count(lately: lately)
        }
    }

    private func refusals(of scope: Scope, now: Moment) -> [Refusal] {
        let limits = limits(of: scope)
        let today = count(of: scope, now: now)
        let tomorrow = Duration.milliseconds(Self.day - now.date.milliseconds % Self.day)
        var refusals: [Refusal] = []
        if let limit = limits.questionsPerMinute {
            let lately = (counts[scope]?.lately ?? []).filter { now.now - $0 < Self.minute }
            if lately.count >= limit {
                let wait = lately[lately.count - limit] + Self.minute - now.now
                refusals.append(Refusal(scope: scope, measure: .questionsPerMinute, limit: limit, wait: wait))
            }
        }
        if let limit = limits.questionsPerDay, today.questions >= limit {
            refusals.append(Refusal(scope: scope, measure: .questionsPerDay, limit: limit, wait: tomorrow))
        }
        if let limit = limits.tokensPerDay, today.tokens >= limit {
            refusals.append(Refusal(scope: scope, measure: .tokensPerDay, limit: limit, wait: tomorrow))
        }
        return refusals
    }

    private func limits(of scope: Scope) -> BudgetLimits {
        switch scope {
        case .account: accountLimits
        case .channel: channelLimits
        case .all: overallLimits
        }
    }
}
