import Domain
import Runtime
import TestKit
import Testing

@testable import Dialogue
@testable import Storage

@Suite struct BudgetsTests {
    private let alice = Budgets.Scope.account(AccountID(1))
    private let bob = Budgets.Scope.account(AccountID(2))

    private func at(_ seconds: Int64) -> Moment {
        Moment(now: .seconds(seconds), date: Timestamp(milliseconds: 86_400_000 * 20_000 + seconds * 1000))
    }

    @Test func `a question more than the minute allows waits until the oldest is a minute old`() {
        var budgets = Budgets(account: BudgetLimits(questionsPerMinute: 2))
        for moment: Int64 in [0, 10] {
            #expect(budgets.refusal(of: [alice], now: at(moment)) == nil)
            budgets.asked([alice, .all], at: at(moment))
        }
        let refusal = budgets.refusal(of: [alice, .all], now: at(20))
        #expect(refusal == .init(scope: alice, measure: .questionsPerMinute, limit: 2, wait: .seconds(40)))
        #expect(budgets.refusal(of: [bob, .all], now: at(20)) == nil)
        #expect(budgets.refusal(of: [alice], now: at(60)) == nil)
    }

    @Test func `a day's questions and tokens come back at midnight, and the longest wait is told`() {
        var budgets = Budgets(
            account: BudgetLimits(questionsPerMinute: 1, tokensPerDay: 100), all: BudgetLimits(questionsPerDay: 3))
        budgets.asked([alice, .all], at: at(3600))
        budgets.spent(99, by: [alice, .all], at: at(3600))
        #expect(budgets.refusal(of: [alice, .all], now: at(3700)) == nil)
        budgets.asked([alice, .all], at: at(3700))
        budgets.spent(1, by: [alice, .all], at: at(3700))
        #expect(budgets.refusal(of: [alice], now: at(3701))?.measure == .tokensPerDay)
        #expect(budgets.refusal(of: [alice], now: at(3701))?.wait == .seconds(86_400 - 3701))
        budgets.asked([bob, .all], at: at(3701))
        #expect(budgets.refusal(of: [bob, .all], now: at(4000))?.scope == .all)
        #expect(budgets.refusal(of: [alice, .all], now: at(86_400)) == nil)
        #expect(budgets.count(of: alice, now: at(86_400)) == Budgets.Count())
    }

    @Test func `midnight does not give another minute's worth`() {
        var budgets = Budgets(all: BudgetLimits(questionsPerMinute: 1))
        budgets.asked([.all], at: at(86_399))
        #expect(budgets.refusal(of: [.all], now: at(86_401)) != nil)
        budgets.spent(1, by: [.all], at: at(86_401))
        #expect(budgets.refusal(of: [.all], now: at(86_401)) != nil)
    }

    @Test func `an answer that comes after midnight leaves what was asked since as it is`() {
        var budgets = Budgets(account: BudgetLimits(questionsPerDay: 1))
        budgets.asked([bob], at: at(86_399))
        budgets.asked([alice], at: at(86_401))
        budgets.spent(5, by: [bob], at: at(86_399))
        #expect(budgets.refusal(of: [alice], now: at(86_402))?.measure == .questionsPerDay)
        #expect(budgets.count(of: bob, now: at(86_402)).tokens == 0)
    }

    @Test(arguments: [-3600, -90_000, 3600, 86_400 * 400]) func `a clock that is set changes no wait of a minute`(
        by step: Int64
    ) {
        var budgets = Budgets(account: BudgetLimits(questionsPerMinute: 1))
        var date = SteadyDate()
        let wall = at(40_000).date
        budgets.asked([alice], at: date.moment(now: .seconds(100), wall: wall))
        let now = date.moment(now: .seconds(110), wall: wall + .seconds(step))
        #expect(budgets.refusal(of: [alice], now: now)?.wait == .seconds(50))
        #expect(budgets.refusal(of: [alice], now: date.moment(now: .seconds(160), wall: wall)) == nil)
    }

    @Test func `a clock that is set back brings no day again, and midnight comes all the same`() {
        var budgets = Budgets(account: BudgetLimits(questionsPerDay: 1))
        var date = SteadyDate()
        let evening = at(86_400 + 600).date
        budgets.asked([alice], at: date.moment(now: .seconds(0), wall: evening))
        for (now, wall) in [(10, -3600), (20, -90_000), (86_400 - 700, -3600)] as [(Int64, Int64)] {
            let moment = date.moment(now: .seconds(now), wall: evening + .seconds(wall))
            #expect(budgets.refusal(of: [alice], now: moment)?.measure == .questionsPerDay, "after \(now) s")
        }
        let next = date.moment(now: .seconds(86_400 - 600), wall: evening + .seconds(-3600))
        #expect(budgets.refusal(of: [alice], now: next) == nil)
    }

    @Test func `what was asked before a start counts, whatever dates and numbers the rows have`() {
        let now = at(40_000)
        func record(_ seconds: Int64, _ tokens: Int) -> UsageRecord {
            UsageRecord(
                account: AccountID(1), network: NetworkName("testnet"), place: "", askedAt: at(seconds).date,
                tokens: tokens)
        }
        var budgets = Budgets(account: BudgetLimits(questionsPerMinute: 2))
        budgets.restore([record(40_500, .max), record(39_990, .max), record(1, .min)], at: now)
        #expect(budgets.count(of: alice, now: now).questions == 3)
        #expect(budgets.count(of: alice, now: now).tokens == .max)
        #expect(budgets.refusal(of: [alice], now: now)?.wait == .seconds(50))
        budgets.asked([alice], at: at(86_401))
        #expect(budgets.count(of: alice, now: at(86_401)).questions == 1)
        let (start, end) = Budgets.countedToday(now)
        #expect(start == at(0).date && end == at(126_400).date)
    }

    // MARK: In the bot

    @Test func `who is over the limit is told when it ends, once a minute, and a restart forgets nothing`() async throws
    {
        let scratch = try Scratch()
        let limits = BudgetLimits(questionsPerDay: 2)
        do {
            let scene = try await Scene(scratch: scratch) { $0.accountBudget = limits }
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            for text in ["one", "two"] {
                scene.says(alice, text, in: "#confab")
                try await scene.sees("#confab <bot> alice: An answer.")
            }
            for text in ["three", "four"] { scene.says(alice, text, in: "#confab") }
            try await scene.sees("-alice- I take 2 questions a day from one person, and that is reached.")
            #expect(try await scene.unread() == [])
            scene.says(alice, "USAGE")
            try await scene.sees(
                "-alice- Since midnight UTC you asked 2 questions, which cost 24 tokens. You may have 2 questions a day."
            )
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch) { $0.accountBudget = limits }
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.logsIn(alice)
        try await scene.registers(bob)
        scene.says(alice, "five", in: "#confab")
        try await scene.sees("-alice- I take 2 questions a day from one person")
        scene.says(bob, "his", in: "#confab")
        try await scene.sees("#confab <bot> bob: An answer.")
        scene.clock.advance(by: .seconds(86_400))
        try await scene.logsIn(alice)
        scene.says(alice, "six", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
    }

    @Test func `a channel's budget is its own`() async throws {
        let scene = try await Scene { $0.channelBudget = BudgetLimits(questionsPerMinute: 1) }
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        scene.says(alice, "one", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(bob, "two", in: "#confab")
        try await scene.sees("-bob- I take 1 question a minute from this channel, and that is reached.")
        scene.says(alice, "bot: three", in: "#quiet")
        try await scene.sees("#quiet <bot> alice: An answer.")
    }

    @Test func `answers that break off, are stopped or hold nothing but thoughts cost what came, also after a restart`()
        async throws
    {
        let scratch = try Scratch()
        let used = "-alice- Since midnight UTC you asked 4 questions, which cost 28 tokens."
        do {
            let scene = try await Scene(scratch: scratch)
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            // 5 tokens for 20 letters, none, 17 as the API counts them, and 6 for 23 letters.
            scene.api.answer(by: ScriptedCompletions.failing(.interrupted, partial: "sixteen letters."))
            scene.says(alice, "one?")
            try await scene.sees("-alice- The connection to the AI broke")
            scene.api.answer(by: ScriptedCompletions.failing(.unreachable))
            scene.says(alice, "two?")
            try await scene.sees("-alice- The AI cannot be reached")
            scene.api.answer { _ in
                [
                    .finished(
                        Completion(text: "<think>hm</think>", isCut: false, promptTokens: 9, completionTokens: 8))
                ]
            }
            scene.says(alice, "six?")
            try await scene.sees("-alice- The AI gave an empty answer")
            scene.api.answer(by: nil)
            scene.says(alice, "why?")
            #expect(await eventually { scene.api.asked.count == 1 })
            scene.api.asked[0].stream.yield(.text("<think>twelve of it"))
            scene.says(alice, "STOP")
            #expect(
                try await eventually {
                    try await scene.store.history(of: AccountID(1), last: 1)[0].state == .interrupted
                })
            scene.says(alice, "USAGE")
            try await scene.sees("-alice- Stopped")
            try await scene.sees("-alice- Since")
            #expect(scene.link.transcript.last?.hasPrefix(used) == true, "\(scene.link.transcript.last ?? "")")
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alice = scene.arrives("alice")
        try await scene.logsIn(alice)
        scene.says(alice, "USAGE")
        try await scene.sees(used)
    }

    @Test func `a channel with as many questions waiting as may refuses the next one`() async throws {
        let scene = try await Scene { settings in
            settings.inFlightPerChannel = 1
            settings.waitingPerChannel = 1
        }
        scene.api.answer(by: nil)
        let people = ["alice", "bob", "carol"].map { scene.arrives($0) }
        for person in people { try await scene.registers(person) }
        for person in people { scene.says(person, "by \(person.nick)", in: "#confab") }
        try await scene.sees("-carol- Too many questions from this channel are waiting just now.")
        #expect(await eventually { scene.questions == ["by alice"] })
        scene.says(people[2], "by carol in private")
        #expect(await eventually { scene.questions.contains("by carol in private") })
        scene.api.asked[0].answer("Done.")
        #expect(await eventually { scene.questions.contains("by bob") })
    }
}
