import Glibc
import Synchronization

/// A serial executor with a thread of its own, for a C library that blocks (SQLite, Argon2).
///
/// Jobs that arrive while others run are taken together; `afterBatch` runs on the thread when a batch is done, which is
/// how the store commits many writes at once. The thread ends with `stop()`, and only then.
public final class ThreadExecutor: SerialExecutor {
    private enum Job {
        /// A step of a task, which goes on here.
        case step(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct State {
        var jobs: [Job] = []
        var afterBatch: (@Sendable () -> Void)?
        var isStopped = false
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let wakeUp = Semaphore()
    /// 0, which no thread is, until it runs.
    private let thread = Atomic<pthread_t>(0)

    public init(name: String) {
        Thread.start(name: name) { [self] in run() }
    }

    /// Called on the thread after each batch of jobs; set once, before the first job.
    public func setAfterBatch(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.afterBatch = body }
    }

    public func enqueue(_ job: consuming ExecutorJob) { add(.step(UnownedJob(job))) }

    /// Calls this on the thread, in turn with all else. The caller's task need not come along to the thread and back,
    /// which would wake one thread more each way.
    public func call(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    private func add(_ job: Job) {
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wakeUp.signal() }
    }

    /// Ends the thread after the jobs already there.
    public func stop() {
        let mustWake = state.withLock { state in
            state.isStopped = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wakeUp.signal() }
    }

    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the executor's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    private func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        while let batch = nextBatch() {
            for job in batch.jobs {
                switch job {
                case .step(let step): unsafe step.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let body): body()
                }
            }
            batch.afterBatch?()
        }
    }

    private func nextBatch() -> (jobs: [Job], afterBatch: (@Sendable () -> Void)?)? {
        while true {
            let (batch, isOver) = state.withLock { state in
                let jobs = state.jobs
                state.jobs.removeAll(keepingCapacity: true)
                state.isAsleep = jobs.isEmpty && !state.isStopped
                return ((jobs, state.afterBatch), jobs.isEmpty && state.isStopped)
            }
            if isOver { return nil }
            if !batch.0.isEmpty { return batch }
            wakeUp.wait()
        }
    }
}

/// POSIX's counting semaphore; `Dispatch` would bring a library for this alone.
@safe final class Semaphore: @unchecked Sendable {
    // Shared between threads by its nature: every access goes through the kernel's own semaphore calls.
    private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(handle, 0, 0) }

    deinit {
        unsafe sem_destroy(handle)
        unsafe handle.deallocate()
    }

    func signal() { unsafe sem_post(handle) }

    func wait() {
        while unsafe sem_wait(handle) != 0 && errno == EINTR {}
    }
}
