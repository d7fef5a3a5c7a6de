import FoundationEssentials
import Glibc
import Runtime
import Synchronization
import TestKit
import Testing

struct ThreadExecutorTests {
    @Test func `jobs run one at a time in the order they came`() async {
        let worker = Worker("worker")
        await worker.spawn((0..<200).map(String.init))
        #expect(await eventually { worker.record.all.count == 201 })
        #expect(worker.record.all.dropFirst() == ArraySlice((0..<200).map(String.init)))
    }

    @Test func `jobs that came together are one batch, and what follows a batch runs after the last of them`() async {
        let worker = Worker("worker")
        worker.executor.setAfterBatch { worker.record.note("after") }
        await worker.spawn(["a", "b", "c"])
        #expect(await eventually { worker.record.all.count == 6 })
        #expect(worker.record.all == ["spawn", "after", "a", "b", "c", "after"])
    }

    @Test func `all jobs run on one thread, whose name is cut to what the kernel takes`() async throws {
        let worker = Worker("a worker under test")
        let first = await worker.thread()
        for _ in 0..<20 {
            let next = await worker.thread()
            #expect(pthread_equal(first, next) != 0)
        }
        #expect(try await worker.threadName() == "a worker under ")
    }

    @Test func `the thread knows itself and nobody else does`() async {
        let worker = Worker("worker")
        #expect(worker.executor.isIsolatingCurrentContext() == false)
        #expect(await worker.isHere())
    }

    @Test func `stopping lets the jobs already there finish and then ends the thread`() async throws {
        let record = Record()
        do {
            let worker = Worker("short-lived", record)
            #expect(await eventually { threadNames().contains("short-lived") })
            await worker.spawn(["a", "b", "c"], isLast: true)
        }
        #expect(await eventually { !threadNames().contains("short-lived") })
        #expect(record.all == ["spawn", "a", "b", "c"])
    }
}

/// What happened on a thread, in order.
private final class Record: Sendable {
    private let kept = Mutex<[String]>([])
    func note(_ text: String) { kept.withLock { $0.append(text) } }
    var all: [String] { kept.withLock { $0 } }
}

private actor Worker {
    nonisolated let executor: ThreadExecutor
    nonisolated let record: Record

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ name: String, _ record: Record = Record()) {
        self.record = record
        executor = ThreadExecutor(name: name)
    }

    deinit { executor.stop() }

    /// Queues jobs from within one, so that all of them are there when the next batch is taken.
    func spawn(_ texts: [String], isLast: Bool = false) {
        record.note("spawn")
        for text in texts { Task { self.note(text) } }
        if isLast { executor.stop() }
    }

    func thread() -> pthread_t { pthread_self() }

    func threadName() throws -> String {
        try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).lines[0]
    }

    func isHere() -> Bool {
        assertIsolated()
        return executor.isIsolatingCurrentContext() == true
    }

    private func note(_ text: String) { record.note(text) }
}

private func threadNames() -> Set<String> {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return Set(
        tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8).lines[0] })
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
