import Glibc
import Runtime
import Synchronization
import TestKit
import Testing

@testable import Network

@Suite(.timeLimit(.minutes(1)))
struct NetworkThreadTests {
    @Test func `everything isolated to it runs on one thread`() async {
        var threads: Set<pthread_t> = []
        for _ in 0..<20 {
            threads.insert(await Task { @NetworkThread in pthread_self() }.value)
            await Task.yield()
        }
        #expect(threads.count == 1)
        #expect(!threads.contains(pthread_self()))
    }

    @Test func `a hop there and back is quick`() async {
        let hop: @NetworkThread () -> Void = {}
        await hop()
        // The fastest of many rounds: what else the machine does meanwhile is no fault of the loop.
        var each = Duration.seconds(1)
        for _ in 0..<50 {
            let start = Time.system.now()
            for _ in 0..<50 { await hop() }
            each = min(each, (Time.system.now() - start) / 50)
        }
        #expect(each < .milliseconds(1), "a hop took \(each)")
    }

    @Test func `many jobs from many tasks all run`() async {
        let count = Counter()
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { for _ in 0..<100 { await count.add() } }
            }
        }
        #expect(await count.value == 5000)
    }

    @Test func `a task that prefers it goes on there, and so do its child tasks`() async {
        let network = await Task { @NetworkThread in pthread_self() }.value
        let ran = await Task(executorPreference: NetworkThread.taskExecutor) {
            await withTaskGroup { group in
                group.addTask { Self.here() }
                return await group.next()
            }
        }.value
        #expect(ran == network)
    }

    @Test func `while the thread is about one thing, what prefers it waits, in order, and no thread is woken`() async {
        let isHanging = Mutex(false)
        let release = Mutex(false)
        let hang: @NetworkThread () -> Void = {
            isHanging.withLock { $0 = true }
            while !release.withLock({ $0 }) { usleep(1000) }
        }
        async let hanging: Void = hang()
        #expect(await eventually { isHanging.withLock { $0 } })
        let places = Places()
        let tasks = (0..<100).map { number in
            Task(executorPreference: NetworkThread.taskExecutor) { places.note(number) }
        }
        release.withLock { $0 = true }
        await hanging
        for task in tasks { await task.value }
        #expect(places.there == Array(0..<100))
        #expect(places.elsewhere == 0)
    }

    private static func here() -> pthread_t { pthread_self() }

    @Test func `timers fire in their order and not after they are cancelled`() async {
        let log = TimerLog()
        await log.plan()
        #expect(await eventually { await log.fired.last == 3 })
        #expect(await log.fired == [1, 2, 3])
    }
}

/// How many steps ran on the network thread, and how many on others.
private final class Places: Sendable {
    private let counts = Mutex((there: [Int](), elsewhere: 0))

    var there: [Int] { counts.withLock { $0.there } }
    var elsewhere: Int { counts.withLock { $0.elsewhere } }

    func note(_ number: Int) {
        let isThere = NetworkThread.shared.executor.isIsolatingCurrentContext() == true
        counts.withLock { if isThere { $0.there.append(number) } else { $0.elsewhere += 1 } }
    }
}

@NetworkThread
private final class Counter {
    private(set) var value = 0

    nonisolated init() {}

    func add() { value += 1 }
}

@NetworkThread
private final class TimerLog {
    private(set) var fired: [Int] = []

    nonisolated init() {}

    func plan() {
        _ = LoopTimer.after(.milliseconds(30)) { self.fired.append(3) }
        _ = LoopTimer.after(.milliseconds(10)) { self.fired.append(1) }
        let cancelled = LoopTimer.after(.milliseconds(15)) { self.fired.append(9) }
        _ = LoopTimer.after(.milliseconds(20)) { self.fired.append(2) }
        cancelled.cancel()
        cancelled.cancel()
    }
}
