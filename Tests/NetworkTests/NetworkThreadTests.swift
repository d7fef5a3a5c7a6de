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

    @Test func `a thread that is about one thing for long takes no step of a task`() async {
        let release = Mutex(false)
        let hang: @NetworkThread () -> Void = { while !release.withLock({ $0 }) { usleep(1000) } }
        async let hanging: Void = hang()
        // Nothing runs a step that is taken by mistake: it is none, and the test ends there.
        let isStuck = await eventually { NetworkThread.shared.executor.isStuck }
        #expect(isStuck)
        let executor = NetworkThread.shared.executor
        let isTaken = unsafe UnsafeMutableRawPointer(bitPattern: 8).map { step in unsafe executor.take(step) }
        #expect(isTaken == false)
        release.withLock { $0 = true }
        await hanging
        #expect(await eventually { !NetworkThread.shared.executor.isStuck })
    }

    @Test func `timers fire in their order and not after they are cancelled`() async {
        let log = TimerLog()
        await log.plan()
        #expect(await eventually { await log.fired.last == 3 })
        #expect(await log.fired == [1, 2, 3])
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
