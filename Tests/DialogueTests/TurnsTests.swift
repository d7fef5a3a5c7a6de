import Domain
import Synchronization
import TestKit
import Testing

@testable import Dialogue

@Suite struct TurnsTests {
    /// What a wait was told; shared with the closures it leaves behind.
    private final class Wait: Sendable {
        private let state = Mutex<(place: Bool?, isInterrupted: Bool)>((nil, false))

        var place: Bool? { state.withLock { $0.place } }
        var isInterrupted: Bool { state.withLock { $0.isInterrupted } }
        func interrupt() { state.withLock { $0.isInterrupted = true } }
        func wake(_ mayBeAsked: Bool) { state.withLock { $0.place = mayBeAsked } }
    }

    /// What the test knows of a turn that it admitted.
    private struct Known {
        enum Stage { case queued, underWay, resting, answering, storing, over }
        let turn: Turn
        var stage: Stage
        let place = Wait()
        var wait: Wait?
        var delivery: Wait?
        var isStopped = false
    }

    @Test func `a turn is in one stage, and STOP and the end reach it in every one`() throws {
        for stage in [Known.Stage.queued, .resting, .answering, .storing] {
            for isStop in [true, false] {
                var turns = Turns(limits: .init(inFlight: 1))
                let before = try Turn.sample(turns.nextID(), of: 1)
                let turn = try Turn.sample(turns.nextID(), of: 2)
                let wait = Wait()
                if stage == .queued {
                    _ = turns.admit(before, in: nil)
                    #expect(turns.admit(turn, in: nil) == .waits)
                    turns.awaitPlace(of: turn.id, wake: wait.wake)
                } else {
                    #expect(turns.admit(turn, in: nil) == .starts)
                }
                switch stage {
                case .resting: turns.rest(turn.id, wait.interrupt)
                case .answering: turns.awaitAnswer(turn.id, wait.interrupt)
                case .storing: turns.awaitStore(turn.id, wait.interrupt)
                case .queued, .underWay, .over: break
                }
                if isStop { turns.stop(turn.id) } else { turns.windDown {} }
                if !isStop { turns.end() }
                #expect(wait.place == (stage == .queued ? false : nil))
                // What came is kept for its asker though they said STOP.
                #expect(wait.isInterrupted == (stage != .queued && !(stage == .storing && isStop)))
                #expect(!turns.mayWait(turn.id))
                // Whatever begins to wait now ends at once.
                let late = Wait()
                turns.rest(turn.id, late.interrupt)
                #expect(late.isInterrupted)
            }
        }
    }

    @Test func `what is being said is taken back by STOP, and not by the end`() throws {
        for isStop in [true, false] {
            var turns = Turns(limits: .init(inFlight: 1))
            let turn = try Turn.sample(turns.nextID(), of: 1)
            _ = turns.admit(turn, in: nil)
            let (delivery, late) = (Wait(), Wait())
            turns.beginDelivery(of: turn.id, delivery.interrupt)
            if isStop { turns.stop(turn.id) } else { turns.end() }
            #expect(delivery.isInterrupted == isStop)
            turns.beginDelivery(of: turn.id, late.interrupt)
            #expect(late.isInterrupted == isStop)
        }
    }

    @Test func `so much is kept for a store that does not work, and no more`() throws {
        var turns = Turns(limits: .init(inFlight: 1))
        let filling = (0..<UInt64(Turns.maxKept)).map { turns.keep(TurnID(number: $0), bytes: 100) }
        #expect(filling.allSatisfy { $0 })
        let more = [turns.keep(TurnID(number: 1000), bytes: 100), turns.keep(TurnID(number: 5), bytes: 100)]
        #expect(more == [false, true])
        turns.release(TurnID(number: 5))
        let large = [
            turns.keep(TurnID(number: 1000), bytes: Turns.maxKeptBytes), turns.keep(TurnID(number: 1000), bytes: 100),
        ]
        #expect(large == [false, true])
    }

    @Test func `a reminder is named once, when it is due`() throws {
        var turns = Turns(limits: .init(inFlight: 2))
        let (one, two) = try (Turn.sample(turns.nextID(), of: 1), Turn.sample(turns.nextID(), of: 2))
        for turn in [one, two] { _ = turns.admit(turn, in: nil) }
        turns.remind(one.id, at: .seconds(5))
        turns.remind(two.id, at: .seconds(3))
        #expect(turns.nextReminder == .seconds(3))
        #expect(turns.takeReminders(at: .seconds(4)).map(\.id) == [two.id])
        #expect(turns.takeReminders(at: .seconds(4)).isEmpty)
        turns.finish(one)
        #expect(turns.nextReminder == nil)
    }

    @Test(arguments: 0..<40) func `whatever happens in whatever order, the rules hold`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var turns = Turns(limits: .init(inFlight: 3))
        var known: [TurnID: Known] = [:]
        var asked: [AccountID: UInt64] = [:]
        let atRest = Wait()
        var (isWindingDown, hasEnded) = (false, false)

        func noteWoken() {
            for (id, each) in known where each.stage == .queued {
                guard let place = each.place.place else { continue }
                #expect(place || each.isStopped || isWindingDown)
                known[id]?.stage = .underWay
                guard place else { continue }
                // In the order they came, of each asker.
                #expect(id.number > asked[each.turn.account.id, default: 0])
                asked[each.turn.account.id] = id.number
            }
        }

        for step in 0..<600 {
            let living = known.values.filter { $0.stage != .over }.map(\.turn).sorted { $0.id.number < $1.id.number }
            let turn = living.randomElement(using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                guard !isWindingDown else { break }
                let new = try Turn.sample(turns.nextID(), of: Int64.random(in: 1...5, using: &random))
                let admission = turns.admit(new, in: nil)
                guard admission == .starts || admission == .waits else { break }
                let begun = Known(turn: new, stage: .queued)
                known[new.id] = begun
                turns.awaitPlace(of: new.id, wake: begun.place.wake)
                #expect((begun.place.place == true) == (admission == .starts))
            case 4...6:
                guard let turn, known[turn.id]?.stage == .underWay else { break }
                let wait = Wait()
                known[turn.id]?.wait = wait
                let stage = [Known.Stage.resting, .answering, .storing].randomElement(using: &random) ?? .resting
                known[turn.id]?.stage = stage
                switch stage {
                case .resting: turns.rest(turn.id, wait.interrupt)
                case .answering: turns.awaitAnswer(turn.id, wait.interrupt)
                default: turns.awaitStore(turn.id, wait.interrupt)
                }
                let endsAtOnce = hasEnded || known[turn.id]?.isStopped == true && stage != .storing
                #expect(wait.isInterrupted == endsAtOnce)
            case 7:
                guard let turn else { break }
                turns.stop(turn.id)
                known[turn.id]?.isStopped = true
                if let wait = known[turn.id]?.wait, known[turn.id]?.stage != .storing { #expect(wait.isInterrupted) }
                if let delivery = known[turn.id]?.delivery { #expect(delivery.isInterrupted) }
            case 8:
                guard let turn, known[turn.id]?.wait != nil else { break }
                turns.goOn(turn.id)
                known[turn.id]?.stage = .underWay
                known[turn.id]?.wait = nil
            case 9:
                guard let turn, known[turn.id]?.stage == .underWay else { break }
                turns.answered(turn.id)
                let delivery = Wait()
                known[turn.id]?.delivery = delivery
                turns.beginDelivery(of: turn.id, delivery.interrupt)
                #expect(delivery.isInterrupted == (known[turn.id]?.isStopped == true))
            case 10:
                guard let turn, known[turn.id]?.stage == .underWay else { break }
                if Bool.random(using: &random) { turns.settle(turn.id) }
                turns.finish(turn)
                known[turn.id]?.stage = .over
            default:
                guard step > 500 else { break }
                if isWindingDown {
                    turns.end()
                    hasEnded = true
                } else {
                    isWindingDown = true
                    turns.windDown(atRest.interrupt)
                }
            }
            noteWoken()
            let busy = known.values.filter { ![.over, .queued].contains($0.stage) && $0.place.place == true }
            #expect(Set(busy.map(\.turn.account.id)).count == busy.count, "one turn of an account at a time")
            if atRest.isInterrupted { #expect(turns.isAtRest) }
        }
        // Whatever is left is brought to its end: then all is at rest, and that is told.
        if !isWindingDown { turns.windDown(atRest.interrupt) }
        isWindingDown = true
        noteWoken()
        for each in known.values where each.stage != .over { turns.finish(each.turn) }
        #expect(turns.isAtRest && atRest.isInterrupted)
        #expect(turns.nextReminder == nil)
    }
}
