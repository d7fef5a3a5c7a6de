import CConcurrency
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

    /// From now on tasks go on here too, wherever no actor with an executor of its own keeps them, as long as there is
    /// little to do; whatever else comes goes to Swift's pool of threads as ever.
    ///
    /// A question is a chain of short steps, each of which would wake a thread of the pool, and the next one this thread
    /// again: a tenth of all the time it takes. Under load the pool helps, on all processors. For the running bot, once:
    /// from then on whatever waits for a disk must have an executor of its own.
    public static func lendToTasks() {
        unsafe cconcurrency_offer { step in
            guard let step = unsafe step else { return false }
            return unsafe NetworkThread.shared.executor.take(step)
        }
    }

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

/// Runs the jobs of `NetworkThread`, and what else it took, between two looks at the sockets.
final class LoopExecutor: SerialExecutor {
    // A step belongs to whoever took it, and is passed on as a whole.
    @safe private enum Job: @unchecked Sendable {
        case isolated(UnownedJob)
        /// A step of a task that is on no actor, or on one without an executor of its own.
        case lent(UnsafeMutableRawPointer)
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isAsleep = false
    }

    /// So many jobs run before the sockets get their turn.
    private static let jobsPerTurn = 256
    /// With so many waiting there is more to do than little.
    private static let few = 8
    /// A thread that is about one thing for longer than this is stuck.
    private static let long: Duration = .milliseconds(20)

    let multi = MultiHandle()
    let epoll = Epoll()
    private let inbox = Mutex(Inbox())
    /// 0, which no thread is, until it runs.
    private let thread = Atomic<pthread_t>(0)
    /// When it began what it is about, in milliseconds.
    private let lastBegun = Atomic<Int64>(0)

    init() {
        Thread.start(name: "network") { [self] in run() }
    }

    func enqueue(_ job: consuming ExecutorJob) { _ = add(.isolated(UnownedJob(job)), ifFewerThan: .max) }

    /// False where there is much to do already. And where the thread is stuck, since what ends the process when something
    /// hangs must not wait for that.
    func take(_ step: UnsafeMutableRawPointer) -> Bool {
        if isIsolatingCurrentContext() != true, isStuck { return false }
        return unsafe add(.lent(step), ifFewerThan: Self.few)
    }

    /// Whether it is about one thing for long.
    var isStuck: Bool {
        guard !inbox.withLock({ $0.isAsleep }) else { return false }
        return Time.system.now() - .milliseconds(lastBegun.load(ordering: .relaxed)) > Self.long
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the network thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    /// Wakes the thread only when it sleeps, so that a busy loop costs its callers a lock and nothing more.
    private func add(_ job: Job, ifFewerThan most: Int) -> Bool {
        let (isAdded, mustWake) = inbox.withLock { inbox in
            guard inbox.jobs.count < most else { return (false, false) }
            if inbox.isAsleep { begins() }
            inbox.jobs.append(job)
            defer { inbox.isAsleep = false }
            return (true, inbox.isAsleep)
        }
        if mustWake { epoll.wake() }
        return isAdded
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        let loop = NetworkThread.assumeIsolated { NetworkLoop.shared }
        while true {
            runJobs()
            begins()
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
        begins()
        switch job {
        case .isolated(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .lent(let step): unsafe cconcurrency_run(step)
        }
    }

    private func begins() { lastBegun.store(Time.system.now().wholeMilliseconds, ordering: .relaxed) }

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
