import Accounts
import Domain

/// What may have been a password, said where others read it.
struct ExposedPassword: Sendable {
    /// A word, and an account that it may open, as `LOGIN` would take it.
    struct Trial: Sendable {
        let login: String
        let word: Secret
    }

    let speaker: Speaker
    let trials: [Trial]
}

/// Lines said in public that may hold a password and are not looked into yet.
///
/// What cannot be looked into at once, since hashing is busy or guesses are slowed down, is later: nothing is passed over.
/// Until then its words let nobody in (`holds`). Invariant: of one speaker there are at most `perSpeaker` lines, the first
/// ones, and in all at most `limit`; whoever has most of them gives way.
struct Exposures: Sendable {
    /// Whoever is logged in speaks for their account, everybody else for their host.
    enum Speaking: Hashable, Sendable {
        case account(AccountID)
        case host(Origin.Host)

        init(_ speaker: Speaker) {
            self = speaker.login.map { .account($0.account.id) } ?? .host(speaker.origin.host)
        }
    }

    struct Line: Sendable {
        let number: UInt64
        let speaker: Speaker
        /// Those that were not tried yet, the next one first.
        var trials: [ExposedPassword.Trial]
        /// Not to be looked into before, by the monotonic clock.
        var notBefore: Duration
    }

    private let perSpeaker: Int
    private let limit: Int
    private var waiting: [Speaking: [Line]] = [:]
    private var lastNumber: UInt64 = 0

    init(perSpeaker: Int = 8, limit: Int = 256) {
        self.perSpeaker = perSpeaker
        self.limit = limit
    }

    mutating func add(_ exposed: ExposedPassword, now: Duration) {
        let speaking = Speaking(exposed.speaker)
        guard waiting[speaking, default: []].count < perSpeaker else { return }
        lastNumber += 1
        waiting[speaking, default: []].append(
            Line(number: lastNumber, speaker: exposed.speaker, trials: exposed.trials, notBefore: now))
        guard count > limit, let most = waiting.max(by: { $0.value.count < $1.value.count }) else { return }
        let giving = most.value.count > 1 ? most.key : speaking
        waiting[giving]?.removeLast()
        if waiting[giving]?.isEmpty == true { waiting[giving] = nil }
    }

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The first line of a speaker, if it is to be looked into now.
    func next(of speaking: Speaking, now: Duration) -> Line? {
        waiting[speaking]?.first.flatMap { $0.notBefore <= now ? $0 : nil }
    }

    /// The first word of this line was not the password.
    mutating func tried(_ line: Line, of speaking: Speaking) {
        guard let index = index(of: line, speaking) else { return }
        waiting[speaking]?[index].trials.removeFirst()
        if waiting[speaking]?[index].trials.isEmpty == true { remove(at: index, speaking) }
    }

    mutating func postpone(_ line: Line, of speaking: Speaking, until moment: Duration) {
        guard let index = index(of: line, speaking) else { return }
        waiting[speaking]?[index].notBefore = moment
    }

    /// Nothing more of this line is tried.
    mutating func finish(_ line: Line, of speaking: Speaking) {
        if let index = index(of: line, speaking) { remove(at: index, speaking) }
    }

    /// When a line is to be looked into next.
    var due: Duration? { waiting.values.compactMap { $0.first?.notBefore }.min() }

    func speaking(dueAt now: Duration) -> [Speaking] {
        waiting.filter { ($0.value.first?.notBefore ?? now) <= now && !$0.value.isEmpty }.map(\.key)
    }

    /// Who said the password of this account in public, if it was said and is not looked into yet.
    func speaker(of password: Secret, for account: Account) -> Speaker? {
        let names = [account.name.folded, account.email?.folded].compactMap(\.self)
        for line in waiting.values.joined() {
            let isSaid = line.trials.contains { trial in
                names.contains(CaseMapping.ascii.fold(trial.login)) && trial.word.reveal() == password.reveal()
            }
            if isSaid { return line.speaker }
        }
        return nil
    }

    private func index(of line: Line, _ speaking: Speaking) -> Int? {
        waiting[speaking]?.firstIndex { $0.number == line.number }
    }

    private mutating func remove(at index: Int, _ speaking: Speaking) {
        waiting[speaking]?.remove(at: index)
        if waiting[speaking]?.isEmpty == true { waiting[speaking] = nil }
    }
}
