public import Accounts
public import Domain
public import Runtime
public import Storage

/// The bot: hears what happens on the networks, decides what to do about it, and does it.
///
/// Deciding (`hear`) is plain and in the order of the wire; it never waits. What takes time comes out of it as `Work`,
/// performed beside it, so that neither the API, nor a password hash, nor a slow network holds up anyone else. After each
/// wait the roster is asked again: the person may have gone.
public actor Bot {
    let link: any ChatLink
    let completions: any CompletionService
    let store: Store
    let desk: AccountDesk
    let settings: DialogueSettings
    let log: Log
    let time: Time

    var roster: Roster
    var memory = AccountMemory()
    /// What was said in public and may be a password, until it is looked into.
    var exposures = Exposures()
    var exposureTimer: Task<Void, Never>?
    var lookingInto: Set<Exposures.Speaking> = []
    /// Lines of people logged in that are being looked into.
    var suspects: [VisitID: SuspectLine] = [:]
    var courtesy = Courtesy()
    var strangersBudget = StrangersBudget()
    var turns: Turns
    var budgets: Budgets
    /// Of limits.
    var date = SteadyDate()
    var notices = Notices()
    var strangers = Strangers()
    var deferred = Deferred()
    var readings = Readings()
    var reminder: Task<Void, Never>?
    var answers = AnswerLog()
    /// The lines that become one question.
    var gathering: Gathering

    public init(
        link: any ChatLink, completions: any CompletionService, store: Store, desk: AccountDesk,
        settings: DialogueSettings, log: Log, time: Time
    ) {
        self.link = link
        self.completions = completions
        self.store = store
        self.desk = desk
        self.settings = settings
        self.log = log
        self.time = time
        let limits = settings.accounts.limits
        self.roster = Roster(
            limits: Roster.Limits(
                idle: limits.sessionIdle, age: limits.sessionAge, loginsPerAccount: limits.sessionsPerAccount))
        var queueLimits = TurnQueue.Limits(inFlight: settings.maxInFlight)
        queueLimits.waitingPerAccount = settings.waitingPerAccount
        if let waiting = settings.waitingOverall { queueLimits.waiting = waiting }
        queueLimits.inFlightPerChannel = settings.inFlightPerChannel
        queueLimits.waitingPerChannel = settings.waitingPerChannel
        self.turns = Turns(limits: queueLimits)
        self.gathering = Gathering(window: settings.gather)
        self.budgets = Budgets(
            account: settings.accountBudget, channel: settings.channelBudget, all: settings.overallBudget)
    }

    /// Listens until the link's events end, and then finishes what is under way. To be called once.
    public func run() async {
        await loadLinks()
        await loadIgnores()
        await loadQuietChannels()
        await loadRelays()
        await loadCutLogins()
        await restoreBudgets()
        await withDiscardingTaskGroup { group in
            for await event in link.events { start(hear(event), in: &group) }
        }
        reminder?.cancel()
        exposureTimer?.cancel()
    }

    /// Decides about an event. No `await` here: events are taken whole and in order.
    func hear(_ event: ChatEvent) -> [Work] {
        strangers.take(event)
        switch event.kind {
        case .message(let message):
            return hear(message, on: event.connection)
        case .refused(let target, let reason):
            return refused(target, reason, on: event.connection)
        default:
            let ended = take(event)
            if case .casemapping(let mapping) = event.kind { remap(mapping, on: event.connection) }
            return ended.flatMap(afterwards) + followed(event) + watchedFor(event) + recognised(event)
                + greeting(after: event)
        }
    }

    /// Performs works side by side and returns when all are done.
    func perform(_ works: [Work]) async {
        await withDiscardingTaskGroup { group in start(works, in: &group) }
    }

    /// Each begins at once, on the bot itself: two questions of one person reach the store in the order they were asked.
    private func start(_ works: [Work], in group: inout DiscardingTaskGroup) {
        let executor = Task.executorPreference
        for work in works { group.addImmediateTask(executorPreference: executor) { await self.perform(work) } }
    }

    private func perform(_ work: Work) async {
        switch work {
        case .notices(let addressee): await sayNotices(to: addressee)
        case .discard(let lane, let lines, let addressee): await discard(lane, thenSay: lines, to: addressee)
        case .account(let request): await perform(request)
        case .watch(let lane): await watch(lane)
        case .unwatch(let lane): await unwatch(lane)
        case .exposed(let speaking): await lookIntoExposed(of: speaking)
        case .suspect(let line): await look(into: line)
        case .logInByServices(let speaker, let visit, let link): await logInByServices(speaker, visit, link)
        case .loadIgnores: await loadIgnores()
        case .setQuiet(let isQuiet, let channel, let name): await keepQuiet(isQuiet, channel, by: name)
        case .turn(let turn): await take(turn)
        case .history(let speaker, let visit, let count): await showHistory(speaker, visit, count)
        case .undelivered(let spoken): await undelivered(spoken)
        case .sayPlainly(let spoken): await sayPlainly(spoken)
        case .more(let speaker, let visit, let number): await showMore(speaker, visit, number)
        case .startAfresh(let speaker, let account): await startAfresh(speaker, account)
        case .retry(let speaker, let visit, let account): await retry(speaker, visit, account)
        case .remark(let utterance): _ = await link.speak(utterance)
        case .noteOpen(let visit): await noteOpen(visit)
        case .noteClosed(let login): await noteClosed(login)
        }
    }
}
