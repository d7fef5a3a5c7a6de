import CCurl
import Glibc
import Runtime
import Synchronization

/// The one thread that touches the network: curl's multi handle, every pipe and every transfer live here.
///
/// What is typed `@NetworkThread` may call the C libraries without locks. The thread starts on first use, sleeps in
/// `epoll_wait` when there is nothing to do, and lasts as long as the process.
@globalActor
public actor NetworkThread {
    public static let shared = NetworkThread()

    nonisolated let executor = LoopExecutor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// For tasks that shall go on here too, wherever no actor with an executor of its own keeps them.
    ///
    /// A question is a chain of short steps. Elsewhere each would wake a thread of the pool, and the next one this thread
    /// again: two processors answer fewer questions so than this thread by itself, for more of their time. A task that prefers
    /// this, and its child tasks, must wait for no disk, and whatever has to end the process when the network thread
    /// hangs must not prefer it.
    public static var taskExecutor: any TaskExecutor { LoopTaskExecutor.shared }

    /// Enters the thread's isolation from a C callback, which runs there but whose type cannot say so.
    ///
    /// Ends the process when called on any other thread.
    public static func assumeIsolated<T: Sendable>(_ body: @NetworkThread () throws -> T) rethrows -> T {
        typealias Unisolated = () throws -> T
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { (isolated: @escaping @NetworkThread () throws -> T) throws -> T in
            // The isolation is part of the type only; the check above is what it stands for.
            try unsafe unsafeBitCast(isolated, to: Unisolated.self)()
        }
    }

    /// Returns when what had come by now is read: after the process, or the machine, stood still it waits in the sockets, and
    /// no deadline may be judged before it.
    @NetworkThread
    public static func catchUp() async { await NetworkLoop.shared.catchUp() }

    nonisolated var multi: MultiHandle { executor.multi }
    nonisolated var epoll: Epoll { executor.epoll }
}

/// curl's multi handle, for the network thread alone.
@safe struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        guard let pointer = unsafe curl_multi_init() else {
            LastWord.say("libcurl cannot start: no memory or descriptors are left")
        }
        unsafe self.pointer = unsafe pointer
    }
}

/// Has the network thread run the steps of tasks.
private final class LoopTaskExecutor: TaskExecutor {
    static let shared = LoopTaskExecutor()

    func enqueue(_ job: consuming ExecutorJob) { NetworkThread.shared.executor.take(UnownedJob(job)) }

    func run(_ step: UnownedJob) { unsafe step.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Runs the jobs of `NetworkThread`, and the steps of tasks that prefer it, between two looks at the sockets.
final class LoopExecutor: SerialExecutor {
    private enum Job {
        case isolated(UnownedJob)
        /// A step of a task that is on no actor, or on one without an executor of its own.
        case step(UnownedJob)
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isAsleep = false
    }

    /// So many jobs run before the sockets get their turn.
    private static let jobsPerTurn = 256

    let multi = MultiHandle()
    let epoll = Epoll()
    private let inbox = Mutex(Inbox())
    /// 0, which no thread is, until it runs.
    private let thread = Atomic<pthread_t>(0)

    init() {
        Thread.start(name: "network") { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) { add(.isolated(UnownedJob(job))) }

    func take(_ step: UnownedJob) { add(.step(step)) }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the network thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    /// Wakes the thread only when it sleeps, so that a busy loop costs its callers a lock and nothing more.
    private func add(_ job: Job) {
        let mustWake = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { epoll.wake() }
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        let loop = NetworkThread.assumeIsolated { NetworkLoop.shared }
        while true {
            runJobs()
            let mayRest = NetworkThread.assumeIsolated { loop.turn() }
            let mayBlock = mayRest && fallAsleep()
            NetworkThread.assumeIsolated { loop.wait(mayBlock: mayBlock) }
        }
    }

    /// Those that are there and those that come of them: mostly they are what the same line or answer needs next.
    private func runJobs() {
        var left = Self.jobsPerTurn
        while left > 0 {
            let jobs = takeJobs(atMost: left)
            if jobs.isEmpty { return }
            for job in jobs { run(job) }
            left -= jobs.count
        }
    }

    private func run(_ job: Job) {
        switch job {
        case .isolated(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .step(let step): LoopTaskExecutor.shared.run(step)
        }
    }

    private func takeJobs(atMost most: Int) -> [Job] {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            guard inbox.jobs.count > most else {
                defer { inbox.jobs = [] }
                return inbox.jobs
            }
            defer { inbox.jobs.removeFirst(most) }
            return Array(inbox.jobs.prefix(most))
        }
    }

    /// From here on a new job wakes the thread; false when one is already there.
    private func fallAsleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.jobs.isEmpty
            return inbox.isAsleep
        }
    }
}
