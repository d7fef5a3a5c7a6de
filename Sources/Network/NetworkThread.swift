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

    private nonisolated let executor = LoopExecutor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

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

    nonisolated var multi: MultiHandle { executor.multi }
    nonisolated var epoll: Epoll { executor.epoll }
}

/// curl's multi handle, for the network thread alone.
@safe struct MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        guard let pointer = unsafe curl_multi_init() else { fatalError("curl_multi_init: out of memory") }
        unsafe self.pointer = unsafe pointer
    }
}

/// Runs the jobs of `NetworkThread` between two looks at the sockets.
final class LoopExecutor: SerialExecutor {
    private struct Inbox {
        var jobs: [UnownedJob] = []
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

    /// Wakes the thread only when it sleeps, so that a busy loop costs its callers a lock and nothing more.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { epoll.wake() }
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the network thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        let loop = NetworkThread.assumeIsolated { NetworkLoop.shared }
        var jobs: ArraySlice<UnownedJob> = []
        while true {
            for job in jobs.prefix(Self.jobsPerTurn) {
                unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            }
            jobs = jobs.dropFirst(Self.jobsPerTurn)
            let mayRest = NetworkThread.assumeIsolated { loop.turn() }
            if jobs.isEmpty { jobs = takeJobs() }
            let mayBlock = mayRest && jobs.isEmpty && fallAsleep()
            NetworkThread.assumeIsolated { loop.wait(mayBlock: mayBlock) }
            if jobs.isEmpty { jobs = takeJobs() }
        }
    }

    private func takeJobs() -> ArraySlice<UnownedJob> {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            guard !inbox.jobs.isEmpty else { return [] }
            let jobs = inbox.jobs
            inbox.jobs = []
            return jobs[...]
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
